import type { Environment } from '@pay/contracts';
import { SectionPages } from '../parts/section-pages';
import { DailyClosePage } from './daily-close-page';
import { MissingSmsPage } from './missing-sms-page';
import { SmsEventPage } from './sms-event-page';
import { SmsEventsPage } from './sms-events-page';
import { useSmsWords } from './words';

/** The forwarded SMS. */
export default function SmsSection({ environment }: { readonly environment: Environment }) {
  const { tabs } = useSmsWords();
  return (
    <SectionPages
      environment={environment}
      name="sms"
      label={tabs.label}
      pages={[
        { tab: tabs.events, page: () => <SmsEventsPage environment={environment} /> },
        {
          path: 'missing',
          tab: tabs.missing,
          permission: ['listMissingSms'],
          page: () => <MissingSmsPage environment={environment} />,
        },
        {
          path: 'daily-close',
          tab: tabs.close,
          permission: ['getDailyClose'],
          page: () => <DailyClosePage environment={environment} />,
        },
        { path: ':id', page: (id) => <SmsEventPage key={id} environment={environment} id={id} /> },
      ]}
    />
  );
}
