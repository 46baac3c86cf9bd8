import { internalDailyBalancesQuerySchema, internalDailyCloseQuerySchema, type ServiceName } from '@pay/contracts';
import { route, serviceAuth, type PeerSecret } from '@pay/http';
import type { Express } from 'express';
import { closeDays, type CloseDaysDeps } from './close-days';
import { listDailyBalances } from './list-daily-balances';

export interface InternalDailyCloseDeps extends CloseDaysDeps {
  readonly peerSecrets: Partial<Record<ServiceName, PeerSecret>>;
}

/** A merchant's days by receiver account, as the dashboard shows them. */
export function mountInternalDailyClose(app: Express, deps: InternalDailyCloseDeps): void {
  const fromDashboard = serviceAuth({ audience: 'sms-ingest', secrets: deps.peerSecrets, allow: ['dashboard-api'] });
  app.get(
    '/internal/v1/daily-close',
    fromDashboard,
    route({ query: internalDailyCloseQuerySchema }, async ({ query }) => ({
      status: 200,
      body: await closeDays(deps, query),
    })),
  );
  app.get(
    '/internal/v1/daily-balances',
    fromDashboard,
    route({ query: internalDailyBalancesQuerySchema }, async ({ query }) => ({
      status: 200,
      body: await listDailyBalances(deps, query),
    })),
  );
}
