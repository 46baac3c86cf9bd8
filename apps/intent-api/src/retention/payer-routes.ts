import {
  containsMsisdn,
  erasePayersRequestSchema,
  findPayersRequestSchema,
  PAYER_PAGE,
  type ErasedPayers,
  type PayerPage,
} from '@pay/contracts';
import { route, serviceAuth, type PeerSecret } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import type { Express } from 'express';
import { eraseExpectedPayers, pageOfExpectedPayers } from './expected-payer-repository';

export interface PayerRoutesDeps {
  readonly db: Queryable;
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
}

/**
 * `/internal/v1/payers`: finds and erases the payers that a merchant expected for its intents, for dashboard-api only.
 */
export function mountPayers(app: Express, { db, peerSecrets }: PayerRoutesDeps): void {
  const fromDashboard = serviceAuth({ audience: 'intent-api', secrets: peerSecrets, allow: ['dashboard-api'] });
  app.post(
    '/internal/v1/payers/find',
    fromDashboard,
    route({ body: findPayersRequestSchema }, async ({ body: { merchantId, msisdns, after } }) => {
      const { payers, last } = await pageOfExpectedPayers(db, { merchantId, after, rows: PAYER_PAGE });
      const found = payers.filter(({ msisdn }) => containsMsisdn(msisdn, msisdns));
      return { status: 200, body: { ids: found.map(({ id }) => id), next: last } satisfies PayerPage };
    }),
  );
  app.post(
    '/internal/v1/payers/erase',
    fromDashboard,
    route({ body: erasePayersRequestSchema }, async ({ body: { merchantId, paymentIntentIds } }) => {
      const erased = new Set(await eraseExpectedPayers(db, paymentIntentIds, merchantId));
      const openIds = paymentIntentIds.filter((id) => !erased.has(id));
      return { status: 200, body: { erased: erased.size, openIds } satisfies ErasedPayers };
    }),
  );
}
