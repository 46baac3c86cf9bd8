import { changedEventsSchema, paidEventsSchema } from '@pay/contracts';
import type { PaymentMismatch } from '../domain/payment-audit';
import type { AuditedServices } from './find-mismatches';

export interface PaymentRepairs {
  /** Payments whose events are published again. */
  readonly republished: readonly PaymentMismatch[];
  /** Events cannot repair these payments. A person must compare or restore the databases. */
  readonly notRepairable: readonly PaymentMismatch[];
}

const BATCH = 500;

/**
 * Publishes exactly the events again whose effects are missing. First the consumer deletes them from its inbox, because
 * it would ignore them otherwise. Each effect has a unique key, so existing effects are not duplicated.
 *
 * - decision_not_applied: reconciler publishes its decision again, intent-api applies it and announces `intent.paid`.
 * - missing_in_feed, missing_deliveries: intent-api publishes `intent.paid` again, webhook-dispatcher plans what is
 *   missing.
 */
export async function repairPayments(
  services: AuditedServices,
  mismatches: readonly PaymentMismatch[],
): Promise<PaymentRepairs> {
  const ofKind = (...kinds: readonly PaymentMismatch['kind'][]) =>
    mismatches.filter(({ kind }) => kinds.includes(kind));
  const { reconciler, intentApi, webhookDispatcher } = services;
  const published = new Set([
    ...(await publishAgain(reconciler, intentApi, ofKind('decision_not_applied'))),
    ...(await publishAgain(intentApi, webhookDispatcher, ofKind('missing_in_feed', 'missing_deliveries'))),
  ]);
  return {
    republished: mismatches.filter(({ paymentIntentId }) => published.has(paymentIntentId)),
    notRepairable: mismatches.filter(({ paymentIntentId }) => !published.has(paymentIntentId)),
  };
}

/** Returns the intents for which the outbox still contains the event. */
async function publishAgain(
  publisher: AuditedServices['reconciler'],
  consumer: AuditedServices['reconciler'],
  mismatches: readonly PaymentMismatch[],
): Promise<string[]> {
  const published: string[] = [];
  for (let start = 0; start < mismatches.length; start += BATCH) {
    const paymentIntentIds = mismatches.slice(start, start + BATCH).map(({ paymentIntentId }) => paymentIntentId);
    const { events } = await publisher.request('POST', '/internal/v1/payment-audit/find-events', {
      schema: paidEventsSchema,
      body: { paymentIntentIds },
      idempotent: true,
    });
    if (events.length === 0) continue;
    const change = {
      schema: changedEventsSchema,
      body: { eventIds: events.map(({ eventId }) => eventId) },
      idempotent: true,
    };
    await consumer.request('POST', '/internal/v1/payment-audit/forget-events', change);
    await publisher.request('POST', '/internal/v1/payment-audit/republish', change);
    published.push(...events.map(({ paymentIntentId }) => paymentIntentId));
  }
  return published;
}
