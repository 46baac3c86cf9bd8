import { Group } from '@mantine/core';
import type { DeliveryResponse, DeliveryStatus, Environment } from '@pay/contracts';
import { None } from '../parts/facts';
import { KeysetList, PAGE_SIZE, useKeysetList } from '../parts/keyset-list';
import { asKeysetPage } from '../parts/numbered-pages';
import { Message } from '../parts/page-states';
import { Ago, RowLink, TableOrCards } from '../parts/table-or-cards';
import { ToneBadge, type Tone } from '../parts/tone-badge';
import { Caption } from '../parts/typography';
import { useCall } from '../session/session-context';
import { placeOf } from '../parts/places';
import { useWords } from '../text/language';
import { useWebhookWords } from './words';

const TONES: Readonly<Record<DeliveryStatus, Tone>> = {
  PENDING: 'neutral',
  DELIVERED: 'good',
  RETRYING: 'warning',
  FAILED: 'bad',
};

export function DeliveryBadge({ status }: { readonly status: DeliveryStatus }) {
  const w = useWebhookWords();
  return <ToneBadge tone={TONES[status]}>{w.deliveries.statuses[status]}</ToneBadge>;
}

interface ListProps {
  readonly environment: Environment;
  readonly query: Readonly<Record<string, string>>;
  /** Only the first page, without a button for more. */
  readonly isPreview?: boolean;
}

/** Deliveries, newest first. */
export function DeliveryList({ environment, query, isPreview = false }: ListProps) {
  const w = useWebhookWords();
  const call = useCall();
  const list = useKeysetList(['deliveries', environment, query], async ({ after }, signal) => {
    const asked = { environment, limit: PAGE_SIZE, ...query, page: after ?? '1' };
    const page = asKeysetPage(await call('listDeliveries', { query: asked }, signal));
    return isPreview ? { ...page, nextCursor: null } : page;
  });
  const isFiltered = Object.keys(query).length > 0 && !isPreview;
  return (
    <KeysetList
      list={list}
      empty={
        isFiltered ? (
          <Message title={w.deliveries.emptyFiltered} />
        ) : (
          <Message title={w.deliveries.empty}>{w.deliveries.emptyText}</Message>
        )
      }
    >
      {(deliveries) => <Rows environment={environment} deliveries={deliveries} />}
    </KeysetList>
  );
}

function Rows({ environment, deliveries }: { environment: Environment; deliveries: readonly DeliveryResponse[] }) {
  const { t, ago, count } = useWords();
  const w = useWebhookWords();
  const link = ({ id }: DeliveryResponse) => placeOf(environment, 'webhooks', 'deliveries', id);
  const event = ({ eventType }: DeliveryResponse) => <span className="identifier">{eventType}</span>;
  return (
    <TableOrCards
      items={deliveries}
      columns={[
        {
          title: w.deliveries.event,
          cell: (delivery) => <RowLink href={link(delivery)}>{event(delivery)}</RowLink>,
        },
        { title: w.deliveries.status, cell: ({ status }) => <DeliveryBadge status={status} /> },
        { title: w.deliveries.attempts, cell: ({ attempt }) => count(attempt) },
        { title: w.deliveries.answer, cell: ({ statusCode }) => statusCode ?? <None /> },
        { title: t.fields.created, cell: ({ createdAt }) => <Ago at={createdAt} /> },
      ]}
      card={(delivery) => (
        <>
          <Group justify="space-between">
            <RowLink href={link(delivery)} isCard>
              {event(delivery)}
            </RowLink>
            <DeliveryBadge status={delivery.status} />
          </Group>
          <Caption>
            {w.deliveries.attempts}: {count(delivery.attempt)} · {w.deliveries.answer}:{' '}
            {delivery.statusCode ?? w.deliveries.none} · {ago(delivery.createdAt)}
          </Caption>
        </>
      )}
    />
  );
}
