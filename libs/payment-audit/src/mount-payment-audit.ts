import {
  auditedEventIdsSchema,
  auditedPaymentsQuerySchema,
  findPaidEventsSchema,
  findPaymentsSchema,
  type PaidEvents,
  paymentAuditRangeSchema,
  type PaymentDigests,
  type ServiceName,
} from '@pay/contracts';
import { route, serviceAuth, tenantOf, type PeerSecret } from '@pay/http';
import { forgetReceivedEvents, republishEvents } from '@pay/messaging';
import type { Queryable } from '@pay/persistence';
import type { Express } from 'express';
import { auditedPayments, type PaymentSource } from './audited-payments';

export interface PaymentAuditDeps {
  readonly service: ServiceName;
  readonly db: Queryable;
  readonly peerSecrets: { readonly 'dashboard-api': PeerSecret };
  readonly source: PaymentSource;
  /** Retention has deleted nothing about payments that were decided from then on. */
  readonly keptSince?: (() => Date) | undefined;
  /** The queue whose events can be handled again. */
  readonly readsAgain?: Parameters<typeof forgetReceivedEvents>[1];
  /** The events in the outbox that say that these intents are PAID; they can be published again. */
  readonly findPaidEvents?: (db: Queryable, intentIds: readonly string[]) => Promise<PaidEvents['events']>;
}

const ROUTES = '/internal/v1/payment-audit';

/** What the service stores of payments, and the repair of what others or it have missed, for dashboard-api alone. */
export function mountPaymentAudit(app: Express, deps: PaymentAuditDeps): void {
  const { db, service, peerSecrets, source, keptSince, readsAgain, findPaidEvents } = deps;
  const fromDashboard = serviceAuth({ audience: service, secrets: peerSecrets, allow: ['dashboard-api'] });
  const { digests, page, find } = auditedPayments(db, source);
  app.get(
    `${ROUTES}/digests`,
    fromDashboard,
    route({ query: paymentAuditRangeSchema }, async ({ query }) => ({
      status: 200,
      body: { digests: await digests(query), keptSince: keptSince?.().toISOString() } satisfies PaymentDigests,
    })),
  );
  app.get(
    `${ROUTES}/payments`,
    fromDashboard,
    route({ query: auditedPaymentsQuerySchema }, async ({ query: { after, ...range }, req }) => ({
      status: 200,
      body: { payments: await page(tenantOf(req), range, after) },
    })),
  );
  if (readsAgain !== undefined) {
    app.post(
      `${ROUTES}/forget-events`,
      fromDashboard,
      route({ body: auditedEventIdsSchema }, async ({ body }) => ({
        status: 200,
        body: { events: await forgetReceivedEvents(db, readsAgain, body.eventIds) },
      })),
    );
  }
  if (findPaidEvents !== undefined) {
    app.post(
      `${ROUTES}/find-payments`,
      fromDashboard,
      route({ body: findPaymentsSchema }, async ({ body, req }) => ({
        status: 200,
        body: { payments: await find(tenantOf(req), body.paymentIntentIds) },
      })),
    );
    app.post(
      `${ROUTES}/find-events`,
      fromDashboard,
      route({ body: findPaidEventsSchema }, async ({ body }) => ({
        status: 200,
        body: { events: await findPaidEvents(db, body.paymentIntentIds) } satisfies PaidEvents,
      })),
    );
    app.post(
      `${ROUTES}/republish`,
      fromDashboard,
      route({ body: auditedEventIdsSchema }, async ({ body }) => ({
        status: 200,
        body: { events: await republishEvents(db, body.eventIds) },
      })),
    );
  }
}
