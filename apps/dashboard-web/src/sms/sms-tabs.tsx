import type { Environment } from '@pay/contracts';
import { SectionTabs } from '../parts/section-tabs';
import { useMay } from '../session/session-context';
import { placeOf } from '../parts/places';
import { useSmsWords } from './words';

export function SmsTabs({ environment }: { readonly environment: Environment }) {
  const { tabs } = useSmsWords();
  const may = useMay();
  return (
    <SectionTabs
      label={tabs.label}
      tabs={[
        { href: placeOf(environment, 'sms'), text: tabs.events },
        ...(may('listMissingSms') ? [{ href: placeOf(environment, 'sms', 'missing'), text: tabs.missing }] : []),
        ...(may('getDailyClose') ? [{ href: placeOf(environment, 'sms', 'daily-close'), text: tabs.close }] : []),
      ]}
    />
  );
}
