import { erasePayersRequestSchema, findPayersRequestSchema } from '@pay/contracts';
import { route, serviceAuth, type PeerSecret } from '@pay/http';
import type { Express } from 'express';
import { erasePayers, findPayers, type ErasePayersDeps } from './erase-payers';

export interface InternalPayersDeps extends ErasePayersDeps {
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
}

/** `/internal/v1/payers`: finds and erases the numbers of payers of one merchant, for dashboard-api only. */
export function mountInternalPayers(app: Express, deps: InternalPayersDeps): void {
  const fromDashboard = serviceAuth({ audience: 'sms-ingest', secrets: deps.peerSecrets, allow: ['dashboard-api'] });
  app.post(
    '/internal/v1/payers/find',
    fromDashboard,
    route({ body: findPayersRequestSchema }, async ({ body }) => ({ status: 200, body: await findPayers(deps, body) })),
  );
  app.post(
    '/internal/v1/payers/erase',
    fromDashboard,
    route({ body: erasePayersRequestSchema }, async ({ body }) => ({
      status: 200,
      body: await erasePayers(deps, body),
    })),
  );
}
