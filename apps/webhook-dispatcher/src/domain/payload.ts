import {
  lastChoiceOf,
  type AlertWebhook,
  type AlertWebhookBody,
  type EndpointRequestBody,
  type Environment,
  type EventOf,
  type FeedEventType,
  type PaymentWebhook,
  type WebhookBody,
  type WebhookEvent,
} from '@pay/contracts';

const PAYMENT_EVENTS = {
  'intent.paid': 'payment.paid',
  'intent.review_required': 'payment.review_required',
  'intent.expired': 'payment.expired',
  'intent.rejected': 'payment.rejected',
} as const satisfies Record<string, PaymentWebhook>;

const ALERT_EVENTS = {
  'alert.opened': 'alert.opened',
  'alert.closed': 'alert.closed',
} as const satisfies Record<string, AlertWebhook>;

/** Internal event types and their names for merchants. Only these can be subscribed to. */
export const WEBHOOK_EVENTS = { ...PAYMENT_EVENTS, ...ALERT_EVENTS } as const;

/** Payment events, and events without webhooks. */
export const FEED_EVENTS = { ...PAYMENT_EVENTS, 'intent.failed': 'payment.failed' } as const satisfies Record<
  string,
  FeedEventType
>;

export type NotifiableType = keyof typeof WEBHOOK_EVENTS;
export type NotifiableEvent = EventOf<NotifiableType>;
export type FeedType = keyof typeof FEED_EVENTS;
export type FeedEvent = EventOf<FeedType>;
export type AlertEvent = EventOf<keyof typeof ALERT_EVENTS>;

export const NOTIFIABLE_TYPES = Object.keys(WEBHOOK_EVENTS) as NotifiableType[];
export const FEED_TYPES = Object.keys(FEED_EVENTS) as FeedType[];

/**
 * Unique per endpoint: an intent reaches each of these statuses at most once, and an alert is opened and closed once.
 */
export function deliveryKey(event: NotifiableEvent): string {
  return deliveryKeyOf(WEBHOOK_EVENTS[event.type], isAlert(event) ? event.data.alertId : event.data.intent.id);
}

export const deliveryKeyOf = (type: WebhookEvent, id: string): string => `${type}:${id}`;

export function isAlert(event: NotifiableEvent | FeedEvent): event is AlertEvent {
  return event.type in ALERT_EVENTS;
}

/**
 * Built once, and stored, signed and sent unchanged. Serialising again could change the bytes and invalidate the
 * signature.
 */
export function buildBody(event: NotifiableEvent | FeedEvent, environment: Environment): string {
  return isAlert(event) ? alertBody(event, environment) : paymentBody(event, environment);
}

function alertBody({ type, occurredAt, data }: AlertEvent, environment: Environment): string {
  const body: AlertWebhookBody = {
    event: ALERT_EVENTS[type],
    environment,
    timestamp: occurredAt,
    data: {
      alert_id: data.alertId,
      kind: data.kind,
      subject: data.subject,
      name: data.name,
      count: data.count,
      since: data.since,
      opened_at: data.openedAt,
      closed_at: data.closedAt,
    },
  };
  return JSON.stringify(body);
}

function paymentBody(event: FeedEvent, environment: Environment): string {
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
        paid_at: intent.paidAt ?? event.occurredAt,
        trx_id: decision.trxId,
        chosen_payment_method: chosen.paymentMethod,
        chosen_receiver_msisdn: chosen.receiverMsisdn,
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

/** A test uses a separate event type and contains no payment, so that no receiver can take it for one. */
export function testBody(environment: Environment, now: Date, endpointId: string): string {
  const body: EndpointRequestBody<typeof TEST_EVENT> = {
    event: TEST_EVENT,
    environment,
    timestamp: now.toISOString(),
    data: { endpoint_id: endpointId, test: true },
  };
  return JSON.stringify(body);
}
