import { z } from 'zod';

/** Payment intent status, exactly as spec section 3.1 spells it. */
export const intentStatusSchema = z.enum(['PENDING', 'PAID', 'FAILED', 'EXPIRED', 'REJECTED', 'REVIEW_REQUIRED']).meta({
  id: 'PaymentIntentStatus',
  description:
    'Deliver the order only when the status is PAID. `PENDING` can become `PAID`, `REVIEW_REQUIRED`, `EXPIRED` or `FAILED`. ' +
    '`REVIEW_REQUIRED` can become `PAID` or `REJECTED`. `EXPIRED` can become `PAID`. `FAILED` can become `PAID`. ' +
    'The last two happen when the merchant approves a late payment. Only `PAID` and `REJECTED` are final: if you cancel an order ' +
    'because its intent is EXPIRED or FAILED, handle a later `payment.paid`, which means that the customer has paid.',
});
export type IntentStatus = z.infer<typeof intentStatusSchema>;

/** SMS event status, spec section 3.2. */
export const smsStatusSchema = z
  .enum(['RECEIVED', 'PARSED', 'UNPARSED', 'MATCH_PENDING', 'MATCHED', 'FAILED', 'MANUALLY_RESOLVED', 'REJECTED'])
  .meta({ id: 'SmsEventStatus' });
export type SmsStatus = z.infer<typeof smsStatusSchema>;

/** Match status, spec section 3.3. */
export const matchStatusSchema = z
  .enum([
    'PENDING',
    'MATCHED',
    'REVIEW_REQUIRED',
    'FAILED',
    'EXPIRED',
    'UNPARSED',
    'DUPLICATE',
    'MANUALLY_RESOLVED',
    'REJECTED',
  ])
  .meta({ id: 'MatchStatus' });
export type MatchStatus = z.infer<typeof matchStatusSchema>;

/** Webhook delivery status, spec section 3.4. */
export const deliveryStatusSchema = z
  .enum(['PENDING', 'DELIVERED', 'RETRYING', 'FAILED'])
  .meta({ id: 'WebhookDeliveryStatus' });
export type DeliveryStatus = z.infer<typeof deliveryStatusSchema>;

/** How a match was found. */
export const matchPathSchema = z.enum(['REFERENCE', 'TRX_ID', 'MANUAL']);
export type MatchPath = z.infer<typeof matchPathSchema>;

/** The seven checks that must hold before money pays an intent, in the order of spec section 1. */
export const CHECK_NAMES = ['reference', 'amount', 'environment', 'method', 'receiver', 'expiry', 'reuse'] as const;
export type CheckName = (typeof CHECK_NAMES)[number];
export const checkResultSchema = z.enum(['pass', 'fail', 'not_applicable']);
export type CheckResult = z.infer<typeof checkResultSchema>;
export const checksSchema = z.record(z.enum(CHECK_NAMES), checkResultSchema);
export type Checks = z.infer<typeof checksSchema>;

/** Webhooks about payments, spec section 6. An endpoint subscribes to all of them by default. */
export const PAYMENT_WEBHOOKS = [
  'payment.paid',
  'payment.review_required',
  'payment.expired',
  'payment.rejected',
] as const;
export type PaymentWebhook = (typeof PAYMENT_WEBHOOKS)[number];

/** Webhooks about problems of the merchant. An endpoint receives them only if it names them. */
export const ALERT_WEBHOOKS = ['alert.opened', 'alert.closed'] as const;
export type AlertWebhook = (typeof ALERT_WEBHOOKS)[number];

/** Requests that an endpoint receives without a subscription. */
export const ENDPOINT_REQUESTS = ['webhook.endpoint_verification', 'webhook.test', 'webhook.order_status'] as const;
export type EndpointRequest = (typeof ENDPOINT_REQUESTS)[number];

/** Names a merchant may subscribe to. */
export const webhookEventSchema = z.enum([...PAYMENT_WEBHOOKS, ...ALERT_WEBHOOKS]).meta({ id: 'WebhookEvent' });
export type WebhookEvent = z.infer<typeof webhookEventSchema>;

/** Types of the event feed: webhooks about payments, and `payment.failed`, to which no endpoint can subscribe. */
export const feedEventTypeSchema = z
  .enum([...PAYMENT_WEBHOOKS, 'payment.failed'])
  .meta({ id: 'EventType', description: 'New types may be added. Do not fulfil orders because of an unknown type.' });
export type FeedEventType = z.infer<typeof feedEventTypeSchema>;

/** The content of a delivery: an event, or the test that a merchant requested. */
export const deliveredEventSchema = z
  .enum([...webhookEventSchema.options, 'webhook.test'])
  .meta({ id: 'DeliveredEvent' });
export type DeliveredEvent = z.infer<typeof deliveredEventSchema>;
