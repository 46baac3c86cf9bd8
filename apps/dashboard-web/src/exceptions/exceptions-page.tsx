import { Group, NativeSelect } from '@mantine/core';
import type { Environment } from '@pay/contracts';
import { ExportButton } from '../parts/export-button';
import { FilterSelect } from '../parts/filter-select';
import { optionsOf } from '../parts/form';
import { KeysetList, ListTotal, PAGE_SIZE, useKeysetList } from '../parts/keyset-list';
import { PageHead } from '../parts/page-head';
import { Message } from '../parts/page-states';
import { useFilters } from '../parts/use-filters';
import { useCall } from '../session/session-context';
import { useWords } from '../text/language';
import { ExceptionList } from './exception-list';

/** The queue of payments that need a decision. Filters are part of the address. */
export default function ExceptionsPage({ environment }: { readonly environment: Environment }) {
  const { t } = useWords();
  const call = useCall();
  const [search, choose] = useFilters();
  const status = search.get('status') === 'CLOSED' ? 'CLOSED' : 'OPEN';
  const kind = search.get('kind') ?? '';
  const order = search.get('order') === 'newest' || status === 'CLOSED' ? 'newest' : 'oldest';
  const filters = { environment, status, order, ...(kind === '' || status === 'CLOSED' ? {} : { kind }) };
  const query = { ...filters, limit: PAGE_SIZE };

  const list = useKeysetList(['exceptions', query], (page, signal) =>
    call('listExceptions', { query: { ...query, ...page } }, signal),
  );

  return (
    <>
      <PageHead title={t.exceptions.title} subtitle={t.exceptions.subtitle}>
        <Group gap="sm">
          <ListTotal list={list} />
          <ExportButton operation="exportExceptions" query={filters} />
        </Group>
      </PageHead>
      <Group mb="md" gap="sm" align="flex-end">
        <NativeSelect
          label={t.exceptions.filterStatus}
          value={status}
          onChange={(event) => choose('status', event.currentTarget.value)}
          data={optionsOf({ OPEN: t.exceptions.open, CLOSED: t.exceptions.closed })}
        />
        <FilterSelect name="kind" label={t.exceptions.filterKind} words={t.kinds} disabled={status === 'CLOSED'} />
        <NativeSelect
          label={t.exceptions.order}
          value={order}
          disabled={status === 'CLOSED'}
          onChange={(event) => choose('order', event.currentTarget.value)}
          data={optionsOf({ oldest: t.exceptions.oldest, newest: t.exceptions.newest })}
        />
      </Group>
      <KeysetList
        list={list}
        empty={
          kind === '' && status === 'OPEN' ? (
            <Message title={t.exceptions.empty}>{t.exceptions.emptyText}</Message>
          ) : (
            <Message title={t.exceptions.emptyFiltered} />
          )
        }
      >
        {(items) => <ExceptionList environment={environment} items={items} />}
      </KeysetList>
    </>
  );
}
