import type { Environment } from '@pay/contracts';
import { Route, Switch } from 'wouter';
import { NoPage } from '../parts/page-states';
import { SectionTabs } from '../parts/section-tabs';
import { useMay } from '../session/session-context';
import { placeOf } from '../shell/places';
import { AccountPage } from './account-page';
import { AuditLogPage } from './audit-log-page';
import { PeoplePage } from './people-page';
import { usePeopleWords } from './words';

/** People, the own account and the audit log, which are the same in both environments. */
export default function PeopleSection({ environment }: { readonly environment: Environment }) {
  const { tabs } = usePeopleWords();
  const may = useMay();
  return (
    <>
      <SectionTabs
        label={tabs.label}
        tabs={[
          { href: placeOf(environment, 'people'), text: tabs.people },
          { href: placeOf(environment, 'people', 'account'), text: tabs.account },
          ...(may('listAuditLog') ? [{ href: placeOf(environment, 'people', 'audit-log'), text: tabs.log }] : []),
        ]}
      />
      <Switch>
        <Route path="/:environment/people">
          <PeoplePage />
        </Route>
        <Route path="/:environment/people/account">
          <AccountPage />
        </Route>
        <Route path="/:environment/people/audit-log">
          <AuditLogPage />
        </Route>
        <Route>
          <NoPage />
        </Route>
      </Switch>
    </>
  );
}
