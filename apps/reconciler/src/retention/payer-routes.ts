import { erasePayersRequestSchema } from '@pay/contracts';
import { route, serviceAuth, type PeerSecret } from '@pay/http';
import type { Database } from '@pay/persistence';
import type { Express } from 'express';
import { erasePayers } from './erase-payers';

export interface PayerRoutesDeps {
  readonly db: Database;
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
}

/** `/internal/v1/payers/erase`: erases the numbers of payers of one merchant, for dashboard-api only. */
export function mountPayers(app: Express, { db, peerSecrets }: PayerRoutesDeps): void {
  app.post(
    '/internal/v1/payers/erase',
    serviceAuth({ audience: 'reconciler', secrets: peerSecrets, allow: ['dashboard-api'] }),
    route({ body: erasePayersRequestSchema }, async ({ body }) => ({
      status: 200,
      body: await db.transaction((tx) => erasePayers(tx, body)),
    })),
  );
}
