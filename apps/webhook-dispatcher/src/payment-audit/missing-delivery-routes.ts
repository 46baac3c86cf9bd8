import { type MissingDeliveries, paymentAuditRangeSchema } from '@pay/contracts';
import { route, serviceAuth, type PeerSecret } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import type { Express } from 'express';
import { findMissingDeliveries } from './audited-payment-repository';

export interface MissingDeliveriesRoutesDeps {
  readonly db: Queryable;
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
  /** Retention has deleted no delivery of payments that were decided from then on. */
  readonly deliveriesKeptSince?: (() => Date) | undefined;
}

const MOST_MISSING = 1_000;

/** For the payment audit: payments that have fewer deliveries than were planned. */
export function mountMissingDeliveries(
  app: Express,
  { db, peerSecrets, deliveriesKeptSince }: MissingDeliveriesRoutesDeps,
): void {
  app.get(
    '/internal/v1/payment-audit/missing-deliveries',
    serviceAuth({ audience: 'webhook-dispatcher', secrets: peerSecrets, allow: ['dashboard-api'] }),
    route({ query: paymentAuditRangeSchema }, async ({ query }) => ({
      status: 200,
      body: {
        payments: await findMissingDeliveries(db, query, MOST_MISSING),
        keptSince: deliveriesKeptSince?.().toISOString(),
      } satisfies MissingDeliveries,
    })),
  );
}
