import type { Environment } from '@pay/contracts';
import { Route, Switch } from 'wouter';
import { NoPage } from '../parts/page-states';
import { DailyClosePage } from './daily-close-page';
import { MissingSmsPage } from './missing-sms-page';
import { SmsEventPage } from './sms-event-page';
import { SmsEventsPage } from './sms-events-page';

/** The forwarded SMS. */
export default function SmsSection({ environment }: { readonly environment: Environment }) {
  return (
    <Switch>
      <Route path="/:environment/sms">
        <SmsEventsPage environment={environment} />
      </Route>
      <Route path="/:environment/sms/missing">
        <MissingSmsPage environment={environment} />
      </Route>
      <Route path="/:environment/sms/daily-close">
        <DailyClosePage environment={environment} />
      </Route>
      <Route path="/:environment/sms/:id">
        {({ id }) => <SmsEventPage key={id} environment={environment} id={id} />}
      </Route>
      <Route>
        <NoPage />
      </Route>
    </Switch>
  );
}
