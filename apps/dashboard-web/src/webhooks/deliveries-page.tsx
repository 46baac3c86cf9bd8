import { Group, NativeSelect } from '@mantine/core';
import type { DeliveredEvent, DeliveryStatus, Environment } from '@pay/contracts';
import { ExportButton } from '../parts/export-button';
import { PageHead } from '../parts/page-head';
import { useFilters } from '../parts/use-filters';
import { useOperation } from '../session/session-context';
import { DeliveryList } from './delivery-list';
import { WebhookTabs } from './webhook-tabs';
import { useWebhookWords } from './words';

const FILTERS = ['status', 'eventType', 'endpointId'] as const;

/** Everything that was sent, or waits to be sent. Filters are part of the address. */
export function DeliveriesPage({ environment }: { readonly environment: Environment }) {
  const { deliveries: w } = useWebhookWords();
  const [filters, choose] = useFilters();
  const endpoints = useOperation(['endpoints', environment, 'names'], 'listEndpoints', {
    query: { environment, limit: '100' },
  });
  const given = FILTERS.flatMap((name) => {
    const value = filters.get(name) ?? '';
    return value === '' ? [] : [[name, value] as const];
  });
  const all = { value: '', label: w.all };
  return (
    <>
      <PageHead title={w.title} subtitle={w.subtitle}>
        <ExportButton operation="exportDeliveries" query={{ environment, ...Object.fromEntries(given) }} />
      </PageHead>
      <WebhookTabs environment={environment} />
      <Group mb="md" gap="sm" align="flex-end">
        <NativeSelect
          label={w.status}
          value={filters.get('status') ?? ''}
          onChange={(event) => choose('status', event.currentTarget.value)}
          data={[
            all,
            ...(Object.keys(w.statuses) as DeliveryStatus[]).map((value) => ({ value, label: w.statuses[value] })),
          ]}
        />
        <NativeSelect
          label={w.event}
          value={filters.get('eventType') ?? ''}
          onChange={(event) => choose('eventType', event.currentTarget.value)}
          data={[
            all,
            ...(Object.keys(w.events) as DeliveredEvent[]).map((value) => ({ value, label: w.events[value] })),
          ]}
        />
        <NativeSelect
          label={w.endpoint}
          value={filters.get('endpointId') ?? ''}
          onChange={(event) => choose('endpointId', event.currentTarget.value)}
          maw={{ base: 300, sm: 420 }}
          data={[all, ...(endpoints.data?.data ?? []).map(({ id, url }) => ({ value: id, label: url }))]}
        />
      </Group>
      <DeliveryList environment={environment} query={Object.fromEntries(given)} />
    </>
  );
}
