import { Group } from '@mantine/core';
import type { Environment } from '@pay/contracts';
import { ExportButton } from '../parts/export-button';
import { FilterSelect } from '../parts/filter-select';
import { useWholeList } from '../parts/numbered-pages';
import { PageHead } from '../parts/page-head';
import { SectionTabs } from '../parts/section-pages';
import { useGivenFilters } from '../parts/use-filters';
import { DeliveryList } from './delivery-list';
import { EVENT_NAMES, useWebhookWords } from './words';

const FILTERS = ['status', 'eventType', 'endpointId'] as const;

/** Everything that was sent, or waits to be sent. Filters are part of the address. */
export function DeliveriesPage({ environment }: { readonly environment: Environment }) {
  const { deliveries: w } = useWebhookWords();
  const endpoints = useWholeList(['endpoints', environment, 'names'], 'listEndpoints', { query: { environment } });
  const given = useGivenFilters(FILTERS);
  return (
    <>
      <PageHead title={w.title} subtitle={w.subtitle}>
        <ExportButton operation="exportDeliveries" query={{ environment, ...given }} />
      </PageHead>
      <SectionTabs />
      <Group mb="md" gap="sm" align="flex-end">
        <FilterSelect name="status" label={w.status} words={w.statuses} />
        <FilterSelect name="eventType" label={w.event} words={EVENT_NAMES} />
        <FilterSelect
          name="endpointId"
          label={w.endpoint}
          maw={{ base: 300, sm: 420 }}
          words={Object.fromEntries((endpoints.data?.data ?? []).map(({ id, url }) => [id, url]))}
        />
      </Group>
      <DeliveryList environment={environment} query={given} />
    </>
  );
}
