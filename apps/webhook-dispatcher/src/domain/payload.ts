import {
  lastChoiceOf,
  type Environment,
  type EventOf,
  type FeedEventType,
  type WebhookBody,
  type WebhookEvent,
} from '@pay/contracts';

/** Events that merchants can subscribe to, by internal event type. */
export const WEBHOOK_EVENTS = {
  'intent.paid': 'payment.paid',
  'intent.review_required': 'payment.review_required',
  'intent.expired': 'payment.expired',
  'intent.rejected': 'payment.rejected',
} as const satisfies Record<string, WebhookEvent>;

/** Events of the feed: those, and events without webhooks. */
export const FEED_EVENTS = { ...WEBHOOK_EVENTS, 'intent.failed': 'payment.failed' } as const satisfies Record<
  string,
  FeedEventType
>;

export type NotifiableType = keyof typeof WEBHOOK_EVENTS;
export type NotifiableEvent = EventOf<NotifiableType>;
export type FeedType = keyof typeof FEED_EVENTS;
export type FeedEvent = EventOf<FeedType>;

export const NOTIFIABLE_TYPES: readonly NotifiableType[] = [
  'intent.paid',
  'intent.review_required',
  'intent.expired',
  'intent.rejected',
];
export const FEED_TYPES: readonly FeedType[] = [...NOTIFIABLE_TYPES, 'intent.failed'];

/** Unique per endpoint: an intent reaches each of these statuses at most once. */
export function deliveryKey(event: NotifiableEvent): string {
  return deliveryKeyOf(WEBHOOK_EVENTS[event.type], event.data.intent.id);
}

export const deliveryKeyOf = (type: WebhookEvent, paymentIntentId: string): string => `${type}:${paymentIntentId}`;

/**
 * The bytes of every request of a delivery: built once, stored, signed and sent unchanged. Serialising again could
 * change the bytes and invalidate the signature.
 */
export function buildBody(event: FeedEvent, environment: Environment): string {
  const { intent } = event.data;
  const body: WebhookBody = {
    event: FEED_EVENTS[event.type],
    environment,
    timestamp: event.occurredAt,
    data: {
      payment_intent_id: intent.id,
      amount: intent.amount,
      currency: intent.currency,
      customer_reference: intent.customerReference,
      merchant_reference: intent.merchantReference,
      status: intent.status,
      payment_method: intent.paymentMethod,
      receiver_msisdn: intent.receiverMsisdn,
      metadata: intent.metadata,
      ...additions(event),
    },
  };
  return JSON.stringify(body);
}

function additions(event: FeedEvent): Partial<WebhookBody['data']> {
  const { intent, decision } = event.data;
  const chosen = lastChoiceOf(intent);
  switch (event.type) {
    case 'intent.paid':
      return {
        ...{ paid_at: intent.paidAt ?? event.occurredAt, trx_id: decision.trxId },
        ...{ chosen_payment_method: chosen.paymentMethod, chosen_receiver_msisdn: chosen.receiverMsisdn },
      };
    case 'intent.review_required':
      return { reason: decision.reason, received_amount: decision.receivedAmount };
    case 'intent.expired':
      return { expired_at: intent.expiredAt ?? event.occurredAt };
    case 'intent.rejected':
    case 'intent.failed':
      return { reason: decision.reason };
  }
}

export const TEST_EVENT = 'webhook.test';

/** A body that no receiver can take for a payment: another event, and no payment in it. */
export function testBody(environment: Environment, now: Date, endpointId: string): string {
  const data = { endpoint_id: endpointId, test: true };
  return JSON.stringify({ event: TEST_EVENT, environment, timestamp: now.toISOString(), data });
}
