import { dashboardOperations } from '@pay/contracts';
import { sessionOf, type Serve } from '@pay/http';
import { reparseSmsEvents, type ReparseSmsEventsDeps } from './reparse-sms-events';

export function mountReparse(serve: Serve, deps: ReparseSmsEventsDeps): void {
  serve(dashboardOperations.reparseSmsEvents, async ({ body, res }) => ({
    status: 200,
    body: await reparseSmsEvents(deps, sessionOf(res), body),
  }));
}
