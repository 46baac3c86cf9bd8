import type { Environment } from '@pay/contracts';
import { Route, Switch } from 'wouter';
import { NoPage } from '../parts/page-states';
import { AccountPage } from './account-page';
import { AuditLogPage } from './audit-log-page';
import { PeoplePage } from './people-page';

/** People, the own account and the audit log, which are the same in both environments. */
export default function PeopleSection({ environment }: { readonly environment: Environment }) {
  return (
    <Switch>
      <Route path="/:environment/people">
        <PeoplePage environment={environment} />
      </Route>
      <Route path="/:environment/people/account">
        <AccountPage environment={environment} />
      </Route>
      <Route path="/:environment/people/audit-log">
        <AuditLogPage environment={environment} />
      </Route>
      <Route>
        <NoPage />
      </Route>
    </Switch>
  );
}
