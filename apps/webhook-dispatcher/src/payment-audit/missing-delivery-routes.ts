import { type MissingDeliveries, paymentAuditRangeSchema } from '@pay/contracts';
import type { InternalRoutes } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { findMissingDeliveries } from './audited-payment-repository';

export interface MissingDeliveriesRoutesDeps {
  readonly db: Queryable;
  /** Retention has deleted no delivery of payments that were decided from then on. */
  readonly deliveriesKeptSince: () => Date;
}

const MOST_MISSING = 1_000;

/** For the payment audit: payments that have fewer deliveries than were planned. */
export function mountMissingDeliveries(
  dashboard: InternalRoutes,
  { db, deliveriesKeptSince }: MissingDeliveriesRoutesDeps,
): void {
  dashboard.get(
    '/internal/v1/payment-audit/missing-deliveries',
    { query: paymentAuditRangeSchema },
    async ({ query }) =>
      ({
        payments: await findMissingDeliveries(db, query, MOST_MISSING),
        keptSince: deliveriesKeptSince().toISOString(),
      }) satisfies MissingDeliveries,
  );
}
