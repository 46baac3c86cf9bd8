import { dashboardOperations } from '@pay/contracts';
import type { Serve } from '@pay/http';
import { reparseSmsEvents, type ReparseSmsEventsDeps } from './reparse-sms-events';

export function mountReparse(serve: Serve, deps: ReparseSmsEventsDeps): void {
  serve(dashboardOperations.reparseSmsEvents, ({ session, body }) => reparseSmsEvents(deps, session, body));
}
