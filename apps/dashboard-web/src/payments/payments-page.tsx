import { Anchor, Button, Group, NativeSelect, Paper, Table, Text, TextInput } from '@mantine/core';
import type { Environment, IntentStatus, PaymentMethod, PaymentSummary } from '@pay/contracts';
import { useState, type SubmitEvent } from 'react';
import { Link } from 'wouter';
import { None, Time } from '../parts/facts';
import { KeysetList, ListTotal, PAGE_SIZE, useKeysetList } from '../parts/keyset-list';
import { PageHead } from '../parts/page-head';
import { Message } from '../parts/page-states';
import { StatusBadge } from '../parts/status-badge';
import { useFilters } from '../parts/use-filters';
import { useCall } from '../session/session-context';
import { placeOf } from '../shell/places';
import { useWords } from '../text/language';

const FILTERS = ['status', 'paymentMethod', 'search'] as const;

/** Payment intents, newest first. Filters are part of the address. */
export default function PaymentsPage({ environment }: { readonly environment: Environment }) {
  const { t } = useWords();
  const call = useCall();
  const [search, choose] = useFilters();
  const [text, setText] = useState(search.get('search') ?? '');
  const given = FILTERS.flatMap((name) => {
    const value = search.get(name);
    return value === null || value === '' ? [] : [[name, value] as const];
  });
  const query = { environment, limit: PAGE_SIZE, ...Object.fromEntries(given) };

  const list = useKeysetList(['payments', query], (page, signal) =>
    call('listPayments', { query: { ...query, ...page } }, signal),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    choose('search', text.trim());
  };
  const optionsOf = <Value extends string>(words: Readonly<Record<Value, string>>) => [
    { value: '', label: t.payments.all },
    ...(Object.keys(words) as Value[]).map((value) => ({ value, label: words[value] })),
  ];

  return (
    <>
      <PageHead title={t.payments.title} subtitle={t.payments.subtitle}>
        <ListTotal list={list} />
      </PageHead>
      <Group mb="md" gap="sm" align="flex-end">
        <form onSubmit={submit} role="search">
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <TextInput
              label={t.payments.search}
              placeholder={t.payments.searchHint}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              w={{ base: 230, sm: 320 }}
              maxLength={255}
              autoComplete="off"
            />
            <Button type="submit">{t.payments.search}</Button>
          </Group>
        </form>
        <NativeSelect
          label={t.payments.status}
          value={search.get('status') ?? ''}
          onChange={(event) => choose('status', event.currentTarget.value)}
          data={optionsOf<IntentStatus>(t.statuses)}
        />
        <NativeSelect
          label={t.payments.method}
          value={search.get('paymentMethod') ?? ''}
          onChange={(event) => choose('paymentMethod', event.currentTarget.value)}
          data={optionsOf<PaymentMethod>(t.methods)}
        />
      </Group>
      <KeysetList
        list={list}
        empty={
          given.length === 0 ? (
            <Message title={t.payments.empty}>{t.payments.emptyText}</Message>
          ) : (
            <Message title={t.payments.emptyFiltered} />
          )
        }
      >
        {(payments) => <PaymentList environment={environment} payments={payments} />}
      </KeysetList>
    </>
  );
}

interface ListProps {
  readonly environment: Environment;
  readonly payments: readonly PaymentSummary[];
}

/** A table on wide screens and cards on phones. */
function PaymentList({ environment, payments }: ListProps) {
  const { t, money, ago } = useWords();
  const link = ({ id }: PaymentSummary) => placeOf(environment, 'payments', id);
  const methodOf = ({ paymentMethod }: PaymentSummary) =>
    paymentMethod === null ? t.fields.notChosen : t.methods[paymentMethod];
  return (
    <>
      <Paper withBorder visibleFrom="md">
        <Table verticalSpacing="sm" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th ta="right">{t.fields.amount}</Table.Th>
              <Table.Th>{t.fields.status}</Table.Th>
              <Table.Th>{t.fields.reference}</Table.Th>
              <Table.Th>{t.fields.merchantReference}</Table.Th>
              <Table.Th>{t.fields.method}</Table.Th>
              <Table.Th>{t.fields.created}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {payments.map((payment) => (
              <Table.Tr key={payment.id}>
                <Table.Td ta="right">
                  <Anchor component={Link} href={link(payment)} fw={600}>
                    {money(payment.amount)}
                  </Anchor>
                </Table.Td>
                <Table.Td>
                  <StatusBadge status={payment.status} />
                </Table.Td>
                <Table.Td className="identifier">{payment.customerReference}</Table.Td>
                <Table.Td>{payment.merchantReference ?? <None />}</Table.Td>
                <Table.Td>{methodOf(payment)}</Table.Td>
                <Table.Td>
                  {ago(payment.createdAt)}
                  <Text size="xs" c="dimmed">
                    <Time at={payment.createdAt} />
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      <Paper component="ul" className="card-list" hiddenFrom="md" bg="transparent">
        {payments.map((payment) => (
          <Paper key={payment.id} component="li" withBorder p="sm" mb="xs">
            <Group justify="space-between" wrap="nowrap">
              <Anchor component={Link} href={link(payment)} fw={600} py={8}>
                {money(payment.amount)}
              </Anchor>
              <StatusBadge status={payment.status} />
            </Group>
            <Text size="sm">
              <span className="identifier">{payment.customerReference}</span>
              {payment.merchantReference === null ? '' : ` · ${payment.merchantReference}`}
            </Text>
            <Text size="sm" c="dimmed">
              {methodOf(payment)} · {ago(payment.createdAt)}
            </Text>
          </Paper>
        ))}
      </Paper>
    </>
  );
}
