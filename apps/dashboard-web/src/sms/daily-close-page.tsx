import { Group, Paper, SimpleGrid, Skeleton, Text, TextInput } from '@mantine/core';
import type { DailyClose, Environment } from '@pay/contracts';
import { lazy, Suspense, useMemo } from 'react';
import { DataTable } from '../parts/data-table';
import { ExportButton } from '../parts/export-button';
import { Facts, None, Time, type Fact } from '../parts/facts';
import { PageHead } from '../parts/page-head';
import { Message, PageFailure, PageLoading } from '../parts/page-states';
import { RowLink, TableOrCards } from '../parts/table-or-cards';
import { ToneBadge } from '../parts/tone-badge';
import { Caption, Heading } from '../parts/typography';
import { useFilters } from '../parts/use-filters';
import { useOperation } from '../session/session-context';
import { placeOf } from '../parts/places';
import { SectionTabs } from '../parts/section-pages';
import { dhakaDay } from '../text/dhaka-input';
import { useWords } from '../text/language';
import { useBalanceWords } from './balance-words';
import { balanceLines } from './balances';

const BalanceChart = lazy(() => import('./balance-chart'));
const DAYS = 14;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

type Account = DailyClose['accounts'][number];

/**
 * Balances and money of one day per receiver account, with the balances of the days before. The day is part of the
 * address.
 */
export function DailyClosePage({ environment }: { readonly environment: Environment }) {
  const { close: w } = useBalanceWords();
  const { dateTime } = useWords();
  const [search, choose] = useFilters();
  const today = dhakaDay(new Date());
  const given = search.get('date') ?? '';
  const date = DAY.test(given) ? given : today;
  const close = useOperation(['daily-close', environment, date], 'getDailyClose', { query: { environment, date } });
  const csv = (lines: 'accounts' | 'money_without_order') => ({ environment, date, format: 'csv' as const, lines });
  return (
    <>
      <PageHead title={w.title} subtitle={w.subtitle} />
      <SectionTabs />
      <Group mb="md" align="flex-end">
        <TextInput
          type="date"
          label={w.day}
          value={date}
          max={today}
          onChange={(event) => choose('date', event.currentTarget.value)}
        />
        <ExportButton operation="getDailyClose" query={csv('accounts')} label={w.csv} />
        <ExportButton operation="getDailyClose" query={csv('money_without_order')} label={w.csvMoney} />
      </Group>
      {close.isPending ? <PageLoading /> : null}
      {close.isError ? <PageFailure error={close.error} retry={() => void close.refetch()} /> : null}
      {close.data === undefined ? null : close.data.accounts.length === 0 ? (
        <Message title={w.empty}>{w.emptyText}</Message>
      ) : (
        <>
          <Group gap="xs" mb="sm">
            <Text size="sm">{w.asOf(dateTime(close.data.asOf))}</Text>
            {close.data.isOver ? null : <ToneBadge tone="neutral">{w.notOver}</ToneBadge>}
          </Group>
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            {close.data.accounts.map((account) => (
              <AccountClose key={account.receiverAccountId} account={account} />
            ))}
          </SimpleGrid>
          <WithoutOrder environment={environment} accounts={close.data.accounts} />
          <Balances environment={environment} until={date} />
        </>
      )}
    </>
  );
}

function AccountClose({ account }: { readonly account: Account }) {
  const { close: w } = useBalanceWords();
  const { t, money, count } = useWords();
  const known = (value: string | null) => (value === null ? <None /> : money(value));
  const sum = (of: { readonly count: number; readonly amount: string }) =>
    `${money(of.amount)} (${w.times(count(of.count))})`;
  const facts: Fact[] = [
    { name: w.opening, value: known(account.openingBalance) },
    { name: w.matched, value: sum(account.matched) },
    { name: w.unmatched, value: sum(account.unmatched) },
    { name: w.other, value: sum(account.otherIncoming) },
    { name: w.outgoing, value: sum(account.outgoing) },
    { name: w.fees, value: money(account.fees) },
    { name: w.commissions, value: money(account.commissions) },
    { name: w.adjustments, value: money(account.adjustments) },
    { name: w.expected, value: known(account.expectedBalance) },
    { name: w.closing, value: <b>{known(account.closingBalance)}</b> },
    { name: w.difference, value: known(account.difference) },
    { name: w.doubtful, value: sum(account.doubtful) },
    { name: w.missing, value: w.times(count(account.missing.length)) },
  ];
  const isExplained = account.difference === null || /^-?0*(?:\.0*)?$/.test(account.difference);
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-label={`${t.methods[account.paymentMethod]} ${account.receiverMsisdn}`}
    >
      <Group justify="space-between" mb="xs">
        <Heading>
          {t.methods[account.paymentMethod]} · {account.receiverMsisdn}
        </Heading>
        {isExplained ? null : <ToneBadge tone="warning">{w.difference}</ToneBadge>}
      </Group>
      <Facts facts={facts} />
      {isExplained ? null : <Caption>{w.differenceHint}</Caption>}
    </Paper>
  );
}

/** Received money without an order: each line links to its SMS. */
function WithoutOrder({
  environment,
  accounts,
}: {
  readonly environment: Environment;
  readonly accounts: readonly Account[];
}) {
  const { close: w } = useBalanceWords();
  const { t, money } = useWords();
  const items = accounts.flatMap(({ receiverMsisdn, moneyWithoutOrder }) =>
    moneyWithoutOrder.map((item) => ({ ...item, id: item.smsEventId, receiverMsisdn })),
  );
  if (items.length === 0) return null;
  const link = (id: string, amount: string) => (
    <RowLink href={placeOf(environment, 'sms', id)}>{money(amount)}</RowLink>
  );
  return (
    <section>
      <Heading mt="md">{w.withoutOrder}</Heading>
      <TableOrCards
        items={items}
        columns={[
          { title: t.fields.amount, cell: ({ id, amount }) => link(id, amount) },
          { title: 'TrxID', cell: ({ trxId }) => trxId ?? <None /> },
          { title: t.fields.reference, cell: ({ reference }) => reference ?? <None /> },
          { title: t.fields.receiver, cell: ({ receiverMsisdn }) => receiverMsisdn },
          { title: w.date, cell: ({ at }) => <Time at={at} /> },
        ]}
        card={({ id, amount, trxId, receiverMsisdn, at }) => (
          <>
            {link(id, amount)}
            <Text size="sm">{trxId ?? receiverMsisdn}</Text>
            <Caption>
              <Time at={at} />
            </Caption>
          </>
        )}
      />
    </section>
  );
}

/** The balances of the days up to one, read in one request. */
function Balances({ environment, until }: { readonly environment: Environment; readonly until: string }) {
  const { close: w } = useBalanceWords();
  const { money, day: dayOf } = useWords();
  const balances = useOperation(['daily-balances', environment, until], 'getDailyBalances', {
    query: { environment, until, days: String(DAYS) },
  });
  const { days, lines } = useMemo(() => balanceLines(balances.data ?? { accounts: [] }), [balances.data]);
  if (balances.isPending) return <Skeleton height={220} radius="md" mt="md" />;
  if (balances.data === undefined) {
    return (
      <Paper withBorder p="md" mt="md" component="section">
        <Heading mb="xs">{w.chart}</Heading>
        <PageFailure error={balances.error} retry={() => void balances.refetch()} />
      </Paper>
    );
  }
  if (lines.length === 0) return null;
  return (
    <Paper withBorder p="md" mt="md" component="section">
      <Heading>{w.chart}</Heading>
      <Caption mb="xs">{w.chartText}</Caption>
      <Suspense fallback={<Skeleton height={220} radius="md" />}>
        <BalanceChart days={days} lines={lines} />
      </Suspense>
      <details>
        <summary>{w.asTable}</summary>
        <DataTable
          items={days.map((day, at) => ({ id: day, at }))}
          columns={[
            { title: w.date, cell: ({ id }) => dayOf(id) },
            ...lines.map(({ receiverMsisdn, balances }) => ({
              title: receiverMsisdn,
              cell: ({ at }: { readonly at: number }) => {
                const balance = balances[at] ?? null;
                return balance === null ? <None /> : money(balance);
              },
              isNumber: true,
            })),
          ]}
          verticalSpacing={4}
          mt="xs"
        />
      </details>
    </Paper>
  );
}
