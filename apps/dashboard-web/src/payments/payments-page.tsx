import { Group } from '@mantine/core';
import type { Environment, PaymentSummary } from '@pay/contracts';
import { ExportButton } from '../parts/export-button';
import { None } from '../parts/facts';
import { FilterSelect } from '../parts/filter-select';
import { FilterTime } from '../parts/filter-time';
import { KeysetList, ListTotal, PAGE_SIZE, useKeysetList } from '../parts/keyset-list';
import { PageHead } from '../parts/page-head';
import { Message } from '../parts/page-states';
import { SearchForm } from '../parts/search-form';
import { StatusBadge } from '../parts/status-badge';
import { Ago, RowLink, TableOrCards } from '../parts/table-or-cards';
import { useFilters, useGivenFilters } from '../parts/use-filters';
import { useCall } from '../session/session-context';
import { placeOf } from '../parts/places';
import { useWords } from '../text/language';
import { PaymentCard } from './payment-card';

const FILTERS = ['status', 'paymentMethod', 'search', 'createdFrom', 'createdTo'] as const;

/** Payment intents, newest first. Filters are part of the address. */
export default function PaymentsPage({ environment }: { readonly environment: Environment }) {
  const { t } = useWords();
  const call = useCall();
  const [search, choose] = useFilters();
  const given = useGivenFilters(FILTERS);
  const query = { environment, limit: PAGE_SIZE, ...given };

  const list = useKeysetList(['payments', query], (page, signal) =>
    call('listPayments', { query: { ...query, ...page } }, signal),
  );

  return (
    <>
      <PageHead title={t.payments.title} subtitle={t.payments.subtitle}>
        <Group gap="sm">
          <ListTotal list={list} />
          <ExportButton operation="exportPayments" query={{ environment, ...given }} />
        </Group>
      </PageHead>
      <Group mb="md" gap="sm" align="flex-end">
        <SearchForm
          label={t.payments.search}
          placeholder={t.payments.searchHint}
          text={search.get('search') ?? ''}
          submitText={t.payments.search}
          onSearch={(text) => choose('search', text)}
          w={{ base: 230, sm: 320 }}
        />
        <FilterSelect name="status" label={t.payments.status} words={t.statuses} />
        <FilterSelect name="paymentMethod" label={t.payments.method} words={t.methods} />
        <FilterTime name="createdFrom" label={t.payments.createdFrom} />
        <FilterTime name="createdTo" label={t.payments.createdTo} />
      </Group>
      <KeysetList
        list={list}
        empty={
          Object.keys(given).length === 0 ? (
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

function PaymentList({ environment, payments }: ListProps) {
  const { t, money, ago } = useWords();
  const methodOf = ({ paymentMethod }: PaymentSummary) =>
    paymentMethod === null ? t.fields.notChosen : t.methods[paymentMethod];
  return (
    <TableOrCards
      items={payments}
      columns={[
        {
          title: t.fields.amount,
          isNumber: true,
          cell: ({ id, amount }) => <RowLink href={placeOf(environment, 'payments', id)}>{money(amount)}</RowLink>,
        },
        { title: t.fields.status, cell: ({ status }) => <StatusBadge status={status} /> },
        {
          title: t.fields.reference,
          cell: ({ customerReference }) => <span className="identifier">{customerReference}</span>,
        },
        { title: t.fields.merchantReference, cell: ({ merchantReference }) => merchantReference ?? <None /> },
        { title: t.fields.method, cell: methodOf },
        { title: t.fields.created, cell: ({ createdAt }) => <Ago at={createdAt} /> },
      ]}
      card={(payment) => (
        <PaymentCard environment={environment} payment={payment}>
          {methodOf(payment)} · {ago(payment.createdAt)}
        </PaymentCard>
      )}
    />
  );
}
