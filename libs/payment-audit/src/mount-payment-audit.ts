import {
  auditedEventIdsSchema,
  auditedPaymentsQuerySchema,
  findPaidEventsSchema,
  findPaymentsSchema,
  paymentAuditRangeSchema,
  type PaidEvents,
  type PaymentDigests,
} from '@pay/contracts';
import { tenantOf, type InternalRoutes } from '@pay/http';
import { forgetReceivedEvents, republishEvents } from '@pay/messaging';
import type { Queryable } from '@pay/persistence';
import { auditedPayments, type PaymentSource } from './audited-payments';

export interface PaymentAuditDeps {
  readonly db: Queryable;
  readonly source: PaymentSource;
  /** Retention has deleted no payment that was decided from this time on. */
  readonly keptSince: () => Date;
  /** The queue whose events can be replayed. */
  readonly readsAgain?: Parameters<typeof forgetReceivedEvents>[1];
  /** The outbox events that report these intents as PAID. They can be published again. */
  readonly findPaidEvents?: (db: Queryable, intentIds: readonly string[]) => Promise<PaidEvents['events']>;
}

const ROUTES = '/internal/v1/payment-audit';

/** Routes that list stored payments and repair missing ones, for dashboard-api only. */
export function mountPaymentAudit(dashboard: InternalRoutes, deps: PaymentAuditDeps): void {
  const { db, source, keptSince, readsAgain, findPaidEvents } = deps;
  const { digests, page, find } = auditedPayments(db, source);
  dashboard.get(
    `${ROUTES}/digests`,
    { query: paymentAuditRangeSchema },
    async ({ query }) =>
      ({ digests: await digests(query), keptSince: keptSince().toISOString() }) satisfies PaymentDigests,
  );
  dashboard.get(
    `${ROUTES}/payments`,
    { query: auditedPaymentsQuerySchema },
    async ({ query: { after, ...range }, req }) => ({ payments: await page(tenantOf(req), range, after) }),
  );
  if (readsAgain !== undefined) {
    dashboard.post(`${ROUTES}/forget-events`, { body: auditedEventIdsSchema }, async ({ body }) => ({
      events: await forgetReceivedEvents(db, readsAgain, body.eventIds),
    }));
  }
  if (findPaidEvents !== undefined) {
    dashboard.post(`${ROUTES}/find-payments`, { body: findPaymentsSchema }, async ({ body, req }) => ({
      payments: await find(tenantOf(req), body.paymentIntentIds),
    }));
    dashboard.post(
      `${ROUTES}/find-events`,
      { body: findPaidEventsSchema },
      async ({ body }) => ({ events: await findPaidEvents(db, body.paymentIntentIds) }) satisfies PaidEvents,
    );
    dashboard.post(`${ROUTES}/republish`, { body: auditedEventIdsSchema }, async ({ body }) => ({
      events: await republishEvents(db, body.eventIds),
    }));
  }
}
