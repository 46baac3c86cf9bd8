import { z } from 'zod';
import { environmentSchema } from '../environment';
import { timestamp } from './request-fields';

/**
 * The payment audit compares what the services store about the same payments. Its key is the time of the decision that
 * made an intent PAID: reconciler, intent-api and webhook-dispatcher all store it unchanged. Routes below
 * `/internal/v1/payment-audit`.
 */
export const PAYMENT_AUDIT_STAGES = ['decisions', 'intents', 'feed'] as const;
/** decisions: reconciler. intents: intent-api. feed: event feed of webhook-dispatcher. */
export type PaymentAuditStage = (typeof PAYMENT_AUDIT_STAGES)[number];

/** `from` is included, `to` is not. */
export const paymentAuditRangeSchema = z.object({
  from: timestamp,
  to: timestamp,
});
export type PaymentAuditRange = z.infer<typeof paymentAuditRangeSchema>;

/** Retention has deleted nothing about payments that were decided from then on. */
const keptSince = timestamp;

/** `GET .../digests`: per tenant, what a service stores of the payments of a range. */
export const paymentDigestsSchema = z.object({
  digests: z.array(
    z.object({
      merchantId: z.uuid(),
      environment: environmentSchema,
      payments: z.int().nonnegative(),
      /** Sum in poisha, as decimal digits. */
      amount: z.string(),
      /**
       * Sum of a 60-bit hash of each intent id with its amount, as decimal digits. Equal sets have equal digests,
       * whatever their order.
       */
      digest: z.string(),
    }),
  ),
  keptSince,
});
export type PaymentDigests = z.infer<typeof paymentDigestsSchema>;

/** Payments per page of `GET .../payments`. */
export const PAYMENT_AUDIT_PAGE = 1_000;

/**
 * `GET .../payments` of one tenant (X-Merchant-Id, X-Environment), in the order of their intents; `after` is the last
 * intent of the page before.
 */
export const auditedPaymentsQuerySchema = paymentAuditRangeSchema.extend({ after: z.uuid().optional() });
export const auditedPaymentsSchema = z.object({
  payments: z.array(z.object({ paymentIntentId: z.uuid(), amount: z.string(), decidedAt: timestamp })),
});
export type AuditedPayments = z.infer<typeof auditedPaymentsSchema>;

/**
 * `POST .../find-payments` of one tenant (reconciler, intent-api): what is stored of the payments of these intents,
 * whenever they were decided.
 */
export const findPaymentsSchema = z.object({ paymentIntentIds: z.array(z.uuid()).min(1).max(500) });

/**
 * `GET .../missing-deliveries` (webhook-dispatcher): payments for which fewer deliveries are stored than were planned;
 * at most 1,000.
 */
export const missingDeliveriesSchema = z.object({
  keptSince,
  payments: z.array(
    z.object({
      merchantId: z.uuid(),
      environment: environmentSchema,
      paymentIntentId: z.uuid(),
      decidedAt: timestamp,
    }),
  ),
});
export type MissingDeliveries = z.infer<typeof missingDeliveriesSchema>;

/** `POST .../find-events` (reconciler, intent-api): the events in its outbox that say that these intents are PAID. */
export const findPaidEventsSchema = z.object({ paymentIntentIds: z.array(z.uuid()).min(1).max(500) });
export const paidEventsSchema = z.object({
  events: z.array(z.object({ eventId: z.uuid(), paymentIntentId: z.uuid() })),
});
export type PaidEvents = z.infer<typeof paidEventsSchema>;

/**
 * `POST .../republish` (reconciler, intent-api): publish these events of the outbox again. `POST .../forget-events`
 * (intent-api, webhook-dispatcher): handle these events again when they come again; each effect has a unique key of its
 * own, so none is duplicated.
 */
export const auditedEventIdsSchema = z.object({ eventIds: z.array(z.uuid()).min(1).max(500) });
export const changedEventsSchema = z.object({ events: z.int().nonnegative() });
