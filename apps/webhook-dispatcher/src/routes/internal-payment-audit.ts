import {
  auditedEventIdsSchema,
  auditedPaymentsQuerySchema,
  type MissingDeliveries,
  PAYMENT_AUDIT_PAGE,
  paymentAuditRangeSchema,
  type PaymentDigests,
} from '@pay/contracts';
import { route, serviceAuth, tenantOf, type PeerSecret } from '@pay/http';
import { forgetReceivedEvents } from '@pay/messaging';
import type { Queryable } from '@pay/persistence';
import type { Express } from 'express';
import { digestPayments, findMissingDeliveries, listAuditedPayments } from '../db/audited-payments';

export interface PaymentAuditRoutesDeps {
  readonly db: Queryable;
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
}

/** Sorts before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000';
const MOST_MISSING = 1_000;

/** What the event feed and the deliveries hold of payments, and the repair of events that were missed. */
export function mountPaymentAudit(app: Express, { db, peerSecrets }: PaymentAuditRoutesDeps): void {
  const fromDashboard = serviceAuth({ audience: 'webhook-dispatcher', secrets: peerSecrets, allow: ['dashboard-api'] });
  app.get(
    '/internal/v1/payment-audit/digests',
    fromDashboard,
    route({ query: paymentAuditRangeSchema }, async ({ query }) => ({
      status: 200,
      body: { digests: await digestPayments(db, query) } satisfies PaymentDigests,
    })),
  );
  app.get(
    '/internal/v1/payment-audit/payments',
    fromDashboard,
    route({ query: auditedPaymentsQuerySchema }, async ({ query: { from, to, after = FIRST }, req }) => {
      const page = { from, to, after, limit: PAYMENT_AUDIT_PAGE };
      return { status: 200, body: { payments: await listAuditedPayments(db, tenantOf(req), page) } };
    }),
  );
  app.get(
    '/internal/v1/payment-audit/missing-deliveries',
    fromDashboard,
    route({ query: paymentAuditRangeSchema }, async ({ query }) => ({
      status: 200,
      body: { payments: await findMissingDeliveries(db, query, MOST_MISSING) } satisfies MissingDeliveries,
    })),
  );
  app.post(
    '/internal/v1/payment-audit/forget-events',
    fromDashboard,
    route({ body: auditedEventIdsSchema }, async ({ body }) => ({
      status: 200,
      body: { events: await forgetReceivedEvents(db, 'webhook-dispatcher.events', body.eventIds) },
    })),
  );
}
