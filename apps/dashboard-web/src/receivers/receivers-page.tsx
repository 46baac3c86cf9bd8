import { Group, Paper, Stack, Text } from '@mantine/core';
import type { Environment, ReceiverAccountResponse, ReceiverUsageList } from '@pay/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionButton, RowButton } from '../parts/action-button';
import { useWholeList } from '../parts/numbered-pages';
import { PageHead } from '../parts/page-head';
import { Message, Pending } from '../parts/page-states';
import { ToneBadge } from '../parts/tone-badge';
import { Heading } from '../parts/typography';
import { useOperation } from '../session/session-context';
import { useWords } from '../text/language';
import { NumberProofs } from './number-proofs';
import { PaymentMethods } from './payment-methods';
import { ReceiverDialog } from './receiver-dialog';
import { UsageBar } from './usage-bar';
import { OPERATION_OF, useReceiverWords, type ReceiverAction } from './words';

const REFETCH_MS = 30_000;

interface Chosen {
  readonly action: ReceiverAction;
  readonly account?: ReceiverAccountResponse;
}

/** Payment methods and receiving numbers of one environment, with limits and the amounts of today and this month. */
export default function ReceiversPage({ environment }: { readonly environment: Environment }) {
  const w = useReceiverWords();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<Chosen>();
  const list = useWholeList(['receivers', environment], 'listReceiverAccounts', { query: { environment } });
  const usage = useOperation(['receiver-usage', environment], 'listReceiverUsage', {
    query: { environment },
    refetchInterval: REFETCH_MS,
  });
  const accounts = list.data?.data;
  return (
    <>
      <PageHead title={w.title} subtitle={w.subtitle}>
        <ActionButton action={['createReceiverAccount']} onClick={() => setChosen({ action: 'create' })}>
          {w.actions.create}
        </ActionButton>
      </PageHead>
      <Stack gap="lg">
        <PaymentMethods accounts={accounts} />
        <section>
          <Heading mb="sm">{w.accounts}</Heading>
          {usage.isError ? <Text c="dimmed">{w.usageFailed}</Text> : null}
          {accounts === undefined ? (
            <Pending query={list} />
          ) : accounts.length === 0 ? (
            <Message title={w.empty}>{w.emptyText}</Message>
          ) : (
            <Paper component="ul" className="card-list" bg="transparent">
              {accounts.map((account) => (
                <AccountCard
                  key={account.id}
                  account={account}
                  used={usage.data?.data.find(({ id }) => id === account.id)}
                  onAction={(action) => setChosen({ action, account })}
                />
              ))}
            </Paper>
          )}
        </section>
        {environment === 'LIVE' ? <NumberProofs /> : null}
      </Stack>
      {chosen === undefined ? null : (
        <ReceiverDialog
          key={`${chosen.action} ${chosen.account?.id ?? ''}`}
          environment={environment}
          action={chosen.action}
          account={accounts?.find(({ id }) => id === chosen.account?.id) ?? chosen.account}
          onClose={() => {
            setChosen(undefined);
            void queries.invalidateQueries({ queryKey: ['receivers'] });
          }}
        />
      )}
    </>
  );
}

interface CardProps {
  readonly account: ReceiverAccountResponse;
  readonly used: ReceiverUsageList['data'][number] | undefined;
  readonly onAction: (action: ReceiverAction) => void;
}

function AccountCard({ account, used, onAction }: CardProps) {
  const w = useReceiverWords();
  const { t, money, count } = useWords();
  const { limits, isActive } = account;
  const actions: ReceiverAction[] = ['change', isActive ? 'deactivate' : 'activate'];
  return (
    <Paper component="li" withBorder p="md" mb="sm" data-receiver={account.msisdn}>
      <Group justify="space-between">
        <Group gap="sm">
          <Text fw={600} className="identifier">
            {account.msisdn}
          </Text>
          <Text>{t.methods[account.paymentMethod]}</Text>
          {account.label === null ? null : <Text c="dimmed">{account.label}</Text>}
          <ToneBadge tone={isActive ? 'good' : 'neutral'}>{isActive ? w.active : w.inactive}</ToneBadge>
        </Group>
        <Group gap="xs">
          {actions.map((action) => (
            <RowButton key={action} action={[OPERATION_OF[action]]} onClick={() => onAction(action)}>
              {w.actions[action]}
            </RowButton>
          ))}
        </Group>
      </Group>
      {used === undefined ? null : (
        <Group gap="lg" mt="sm" align="flex-start">
          <UsageBar name={w.today} used={used.dayAmount} limit={limits?.dailyAmount ?? null} format={money} />
          <UsageBar name={w.month} used={used.monthAmount} limit={limits?.monthlyAmount ?? null} format={money} />
          <UsageBar
            name={w.payments}
            used={String(used.dayCount)}
            limit={typeof limits?.dailyCount === 'number' ? String(limits.dailyCount) : null}
            format={(text) => count(Number(text))}
          />
        </Group>
      )}
    </Paper>
  );
}
