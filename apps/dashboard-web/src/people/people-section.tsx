import type { Environment } from '@pay/contracts';
import { SectionPages } from '../parts/section-pages';
import { AccountPage } from './account-page';
import { AuditLogPage } from './audit-log-page';
import { PeoplePage } from './people-page';
import { usePeopleWords } from './words';

/** People, the own account and the audit log, which are the same in both environments. */
export default function PeopleSection({ environment }: { readonly environment: Environment }) {
  const { tabs } = usePeopleWords();
  return (
    <SectionPages
      environment={environment}
      name="people"
      label={tabs.label}
      pages={[
        { tab: tabs.people, page: () => <PeoplePage /> },
        { path: 'account', tab: tabs.account, page: () => <AccountPage /> },
        {
          path: 'audit-log',
          tab: tabs.log,
          permission: ['listAuditLog'],
          page: () => <AuditLogPage />,
        },
      ]}
    />
  );
}
