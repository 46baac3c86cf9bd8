import { Anchor, Group, Paper, Table, Text } from '@mantine/core';
import type { DeliveryResponse, DeliveryStatus, Environment } from '@pay/contracts';
import { Link } from 'wouter';
import { None, Time } from '../parts/facts';
import { KeysetList, PAGE_SIZE, useKeysetList } from '../parts/keyset-list';
import { asKeysetPage } from '../parts/numbered-pages';
import { Message } from '../parts/page-states';
import { ToneBadge, type Tone } from '../parts/tone-badge';
import { useCall } from '../session/session-context';
import { placeOf } from '../shell/places';
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

/** Deliveries, newest first: a table on wide screens and cards on phones. */
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
  return (
    <>
      <Paper withBorder visibleFrom="md">
        <Table verticalSpacing="sm" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{w.deliveries.event}</Table.Th>
              <Table.Th>{w.deliveries.status}</Table.Th>
              <Table.Th>{w.deliveries.attempts}</Table.Th>
              <Table.Th>{w.deliveries.answer}</Table.Th>
              <Table.Th>{t.fields.created}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {deliveries.map((delivery) => (
              <Table.Tr key={delivery.id} data-delivery={delivery.id}>
                <Table.Td>
                  <Anchor component={Link} href={link(delivery)} fw={600} className="identifier">
                    {delivery.eventType}
                  </Anchor>
                </Table.Td>
                <Table.Td>
                  <DeliveryBadge status={delivery.status} />
                </Table.Td>
                <Table.Td>{count(delivery.attempt)}</Table.Td>
                <Table.Td>{delivery.statusCode ?? <None />}</Table.Td>
                <Table.Td>
                  {ago(delivery.createdAt)}
                  <Text size="xs" c="dimmed">
                    <Time at={delivery.createdAt} />
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      <Paper component="ul" className="card-list" hiddenFrom="md" bg="transparent">
        {deliveries.map((delivery) => (
          <Paper key={delivery.id} component="li" withBorder p="sm" mb="xs" data-delivery={delivery.id}>
            <Group justify="space-between">
              <Anchor component={Link} href={link(delivery)} fw={600} py={8} className="identifier">
                {delivery.eventType}
              </Anchor>
              <DeliveryBadge status={delivery.status} />
            </Group>
            <Text size="sm" c="dimmed">
              {w.deliveries.attempts}: {count(delivery.attempt)} · {w.deliveries.answer}:{' '}
              {delivery.statusCode ?? w.deliveries.none} · {ago(delivery.createdAt)}
            </Text>
          </Paper>
        ))}
      </Paper>
    </>
  );
}
