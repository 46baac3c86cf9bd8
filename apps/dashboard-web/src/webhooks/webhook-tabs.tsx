import type { Environment } from '@pay/contracts';
import { SectionTabs } from '../parts/section-tabs';
import { placeOf } from '../parts/places';
import { useWebhookWords } from './words';

export function WebhookTabs({ environment }: { readonly environment: Environment }) {
  const { tabs } = useWebhookWords();
  return (
    <SectionTabs
      label={tabs.label}
      tabs={[
        { href: placeOf(environment, 'webhooks'), text: tabs.endpoints },
        { href: placeOf(environment, 'webhooks', 'deliveries'), text: tabs.deliveries },
      ]}
    />
  );
}
