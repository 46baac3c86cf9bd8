import type { Environment } from '@pay/contracts';
import { SectionTabs } from '../parts/section-tabs';
import { useMay } from '../session/session-context';
import { placeOf } from '../parts/places';
import { usePeopleWords } from './words';

export function PeopleTabs({ environment }: { readonly environment: Environment }) {
  const { tabs } = usePeopleWords();
  const may = useMay();
  return (
    <SectionTabs
      label={tabs.label}
      tabs={[
        { href: placeOf(environment, 'people'), text: tabs.people },
        { href: placeOf(environment, 'people', 'account'), text: tabs.account },
        ...(may('listAuditLog') ? [{ href: placeOf(environment, 'people', 'audit-log'), text: tabs.log }] : []),
      ]}
    />
  );
}
