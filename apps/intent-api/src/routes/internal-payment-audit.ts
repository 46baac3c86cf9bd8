import {
  auditedEventIdsSchema,
  auditedPaymentsQuerySchema,
  findPaidEventsSchema,
  type PaidEvents,
  PAYMENT_AUDIT_PAGE,
  paymentAuditRangeSchema,
  type PaymentDigests,
} from '@pay/contracts';
import { route, serviceAuth, tenantOf, type PeerSecret } from '@pay/http';
import { forgetReceivedEvents, republishEvents } from '@pay/messaging';
import type { Queryable } from '@pay/persistence';
import type { Express } from 'express';
import { digestPayments, listAuditedPayments } from '../db/audited-payments';
import { findPaidEvents } from '../find-paid-events';

export interface PaymentAuditRoutesDeps {
  readonly db: Queryable;
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
}

/** Sorts before every id. */
const FIRST = '00000000-0000-0000-0000-000000000000';

/** What intent-api stores of payments, and the repair of what others or it have missed. */
export function mountPaymentAudit(app: Express, { db, peerSecrets }: PaymentAuditRoutesDeps): void {
  const fromDashboard = serviceAuth({ audience: 'intent-api', secrets: peerSecrets, allow: ['dashboard-api'] });
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
  app.post(
    '/internal/v1/payment-audit/forget-events',
    fromDashboard,
    route({ body: auditedEventIdsSchema }, async ({ body }) => ({
      status: 200,
      body: { events: await forgetReceivedEvents(db, 'intent-api.events', body.eventIds) },
    })),
  );
  app.post(
    '/internal/v1/payment-audit/find-events',
    fromDashboard,
    route({ body: findPaidEventsSchema }, async ({ body }) => ({
      status: 200,
      body: { events: await findPaidEvents(db, body.paymentIntentIds) } satisfies PaidEvents,
    })),
  );
  app.post(
    '/internal/v1/payment-audit/republish',
    fromDashboard,
    route({ body: auditedEventIdsSchema }, async ({ body }) => ({
      status: 200,
      body: { events: await republishEvents(db, body.eventIds) },
    })),
  );
}
