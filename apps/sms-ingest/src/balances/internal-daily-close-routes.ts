import { internalDailyCloseQuerySchema, type ServiceName } from '@pay/contracts';
import { route, serviceAuth, type PeerSecret } from '@pay/http';
import type { Express } from 'express';
import { closeDays, type CloseDaysDeps } from './close-days';

export interface InternalDailyCloseDeps extends CloseDaysDeps {
  readonly peerSecrets: Partial<Record<ServiceName, PeerSecret>>;
}

/** `GET /internal/v1/daily-close`: a merchant's day by receiver account, as the dashboard shows it. */
export function mountInternalDailyClose(app: Express, deps: InternalDailyCloseDeps): void {
  app.get(
    '/internal/v1/daily-close',
    serviceAuth({ audience: 'sms-ingest', secrets: deps.peerSecrets, allow: ['dashboard-api'] }),
    route({ query: internalDailyCloseQuerySchema }, async ({ query }) => ({
      status: 200,
      body: await closeDays(deps, query),
    })),
  );
}
