import type { Environment } from '@pay/contracts';
import { SectionPages } from '../parts/section-pages';
import { DeliveriesPage } from './deliveries-page';
import { DeliveryPage } from './delivery-page';
import { EndpointPage } from './endpoint-page';
import { EndpointsPage } from './endpoints-page';
import { useWebhookWords } from './words';

/** Endpoints and deliveries of one environment. */
export default function WebhooksSection({ environment }: { readonly environment: Environment }) {
  const { tabs } = useWebhookWords();
  return (
    <SectionPages
      environment={environment}
      name="webhooks"
      label={tabs.label}
      pages={[
        { tab: tabs.endpoints, page: () => <EndpointsPage environment={environment} /> },
        { path: 'deliveries', tab: tabs.deliveries, page: () => <DeliveriesPage environment={environment} /> },
        { path: 'deliveries/:id', page: (id) => <DeliveryPage key={id} environment={environment} id={id} /> },
        { path: ':id', page: (id) => <EndpointPage key={id} environment={environment} id={id} /> },
      ]}
    />
  );
}
