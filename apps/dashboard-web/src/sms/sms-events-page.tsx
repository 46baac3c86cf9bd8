import { Group, Text } from '@mantine/core';
import type { Environment, SmsEventSummary, TextProvider } from '@pay/contracts';
import { ExportButton } from '../parts/export-button';
import { None } from '../parts/facts';
import { FilterSelect } from '../parts/filter-select';
import { FilterTime } from '../parts/filter-time';
import { KeysetList, ListTotal, PAGE_SIZE, useKeysetList } from '../parts/keyset-list';
import { useWholeList } from '../parts/numbered-pages';
import { PageHead } from '../parts/page-head';
import { Message } from '../parts/page-states';
import { Ago, RowLink, TableOrCards } from '../parts/table-or-cards';
import { Caption } from '../parts/typography';
import { useGivenFilters } from '../parts/use-filters';
import { useCall } from '../session/session-context';
import { placeOf } from '../parts/places';
import { SectionTabs } from '../parts/section-pages';
import { useWords } from '../text/language';
import { SmsStatusBadge } from './sms-status';
import { useSmsWords } from './words';

const FILTERS = ['status', 'provider', 'deviceId', 'receiverAccountId', 'ingestedFrom', 'ingestedTo'] as const;

/** The forwarded SMS, newest first. Filters are part of the URL. */
export function SmsEventsPage({ environment }: { readonly environment: Environment }) {
  const w = useSmsWords();
  const call = useCall();
  const given = useGivenFilters(FILTERS);
  const query = { environment, limit: PAGE_SIZE, ...given };
  const list = useKeysetList(['sms-events', query], (page, signal) =>
    call('listSmsEvents', { query: { ...query, ...page } }, signal),
  );
  return (
    <>
      <PageHead title={w.title} subtitle={w.subtitle}>
        <Group gap="sm">
          <ListTotal list={list} />
          <ExportButton operation="exportSmsEvents" query={{ environment, ...given }} />
        </Group>
      </PageHead>
      <SectionTabs />
      <Filters environment={environment} />
      <KeysetList
        list={list}
        empty={
          Object.keys(given).length === 0 ? (
            <Message title={w.empty}>{w.emptyText}</Message>
          ) : (
            <Message title={w.emptyFiltered} />
          )
        }
      >
        {(items) => <Rows environment={environment} items={items} />}
      </KeysetList>
    </>
  );
}

function Filters({ environment }: { readonly environment: Environment }) {
  const w = useSmsWords();
  const { t } = useWords();
  const devices = useWholeList(['devices', environment], 'listDevices', { query: { environment } });
  const receivers = useWholeList(['receivers', environment], 'listReceiverAccounts', { query: { environment } });
  return (
    <Group mb="md" gap="sm" align="flex-end">
      <FilterSelect name="status" label={w.result} words={w.statuses} />
      <FilterSelect name="provider" label={w.provider} words={w.providers} />
      <FilterSelect
        name="deviceId"
        label={w.device}
        words={Object.fromEntries((devices.data?.data ?? []).map(({ id, name }) => [id, name]))}
      />
      <FilterSelect
        name="receiverAccountId"
        label={w.receiver}
        words={Object.fromEntries(
          (receivers.data?.data ?? []).map(({ id, msisdn, paymentMethod }) => [
            id,
            `${msisdn} · ${t.methods[paymentMethod]}`,
          ]),
        )}
      />
      <FilterTime name="ingestedFrom" label={w.from} />
      <FilterTime name="ingestedTo" label={w.to} />
    </Group>
  );
}

function Rows({ environment, items }: { environment: Environment; items: readonly SmsEventSummary[] }) {
  const { t, ago, money } = useWords();
  const w = useSmsWords();
  const link = ({ id }: SmsEventSummary) => placeOf(environment, 'sms', id);
  const what = ({ parsedAmount, sender }: SmsEventSummary) => (parsedAmount === null ? sender : money(parsedAmount));
  const provider = ({ provider: name, sender, direction }: SmsEventSummary) => {
    const from = name !== null && name in w.providers ? w.providers[name as TextProvider] : sender;
    return direction === 'OUT' ? `${from} · ${w.directions.OUT}` : from;
  };
  return (
    <TableOrCards
      items={items}
      columns={[
        { title: t.fields.amount, cell: (item) => <RowLink href={link(item)}>{what(item)}</RowLink>, isNumber: true },
        { title: w.result, cell: ({ status }) => <SmsStatusBadge status={status} /> },
        { title: w.provider, cell: provider },
        {
          title: t.fields.trxId,
          cell: ({ parsedTrxId: trxId }) => (trxId === null ? <None /> : <span className="identifier">{trxId}</span>),
        },
        { title: t.fields.reference, cell: ({ parsedReference }) => parsedReference ?? <None /> },
        { title: t.fields.receiver, cell: ({ receiverMsisdn }) => receiverMsisdn ?? <None /> },
        { title: t.fields.arrived, cell: ({ ingestedAt }) => <Ago at={ingestedAt} /> },
      ]}
      card={(item) => (
        <>
          <Group justify="space-between" wrap="nowrap">
            <RowLink href={link(item)} isCard>
              {what(item)}
            </RowLink>
            <SmsStatusBadge status={item.status} />
          </Group>
          <Text size="sm">
            {provider(item)}
            {item.parsedTrxId === null ? '' : ` · ${item.parsedTrxId}`}
            {item.parsedReference === null ? '' : ` · ${item.parsedReference}`}
          </Text>
          <Caption>{ago(item.ingestedAt)}</Caption>
        </>
      )}
    />
  );
}
