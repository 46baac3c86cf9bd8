import { Group, Text } from '@mantine/core';
import type { Environment, MissingSmsResponse } from '@pay/contracts';
import { Time } from '../parts/facts';
import { FilterSelect } from '../parts/filter-select';
import { KeysetList, ListTotal, PAGE_SIZE, useKeysetList } from '../parts/keyset-list';
import { asKeysetPage } from '../parts/numbered-pages';
import { PageHead } from '../parts/page-head';
import { Message } from '../parts/page-states';
import { SectionTabs } from '../parts/section-pages';
import { Ago, TableOrCards } from '../parts/table-or-cards';
import { ToneBadge } from '../parts/tone-badge';
import { Caption } from '../parts/typography';
import { useFilters } from '../parts/use-filters';
import { useCall } from '../session/session-context';
import { useWords } from '../text/language';
import { useBalanceWords } from './balance-words';

/** Gaps in the balance chain without an SMS, newest first. */
export function MissingSmsPage({ environment }: { readonly environment: Environment }) {
  const { missing: w } = useBalanceWords();
  const call = useCall();
  const [filters] = useFilters();
  const status = filters.get('status') ?? '';
  const query = { environment, limit: PAGE_SIZE, ...(status === '' ? {} : { status }) };
  const list = useKeysetList(['missing-sms', query], async ({ after }, signal) =>
    asKeysetPage(await call('listMissingSms', { query: { ...query, page: after ?? '1' } }, signal)),
  );
  return (
    <>
      <PageHead title={w.title} subtitle={w.subtitle}>
        <ListTotal list={list} />
      </PageHead>
      <SectionTabs />
      <Group mb="md">
        <FilterSelect name="status" label={w.status} words={w.statuses} />
      </Group>
      <KeysetList
        list={list}
        empty={status === '' ? <Message title={w.empty}>{w.emptyText}</Message> : <Message title={w.emptyFiltered} />}
      >
        {(items) => <Rows items={items} />}
      </KeysetList>
    </>
  );
}

function Rows({ items }: { readonly items: readonly MissingSmsResponse[] }) {
  const { missing: w } = useBalanceWords();
  const { t, money } = useWords();
  const what = ({ direction, amount }: MissingSmsResponse) =>
    direction === 'IN' ? w.received(money(amount)) : w.sent(money(amount));
  const badge = ({ status }: MissingSmsResponse) => (
    <ToneBadge tone={status === 'OPEN' ? 'warning' : 'good'}>{w.statuses[status]}</ToneBadge>
  );
  const between = ({ from, to }: MissingSmsResponse) => (
    <>
      <Time at={from} /> – <Time at={to} />
    </>
  );
  return (
    <>
      <TableOrCards
        items={items}
        columns={[
          { title: t.fields.amount, cell: (item) => <Text fw={600}>{what(item)}</Text> },
          { title: w.status, cell: badge },
          { title: t.fields.receiver, cell: ({ receiverMsisdn }) => receiverMsisdn },
          { title: w.between, cell: between },
          { title: w.found, cell: ({ foundAt }) => <Ago at={foundAt} /> },
        ]}
        card={(item) => (
          <>
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Text fw={600}>{what(item)}</Text>
              {badge(item)}
            </Group>
            <Text size="sm">{item.receiverMsisdn}</Text>
            <Caption>{between(item)}</Caption>
          </>
        )}
      />
      <Caption>{w.advice}</Caption>
    </>
  );
}
