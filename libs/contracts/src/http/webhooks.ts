import { z } from 'zod';
import { alertKindSchema } from '../alert-kind';
import { environmentSchema } from '../environment';
import { paymentMethodSchema } from '../payment-method';
import {
  deliveredEventSchema,
  deliveryStatusSchema,
  intentStatusSchema,
  PAYMENT_WEBHOOKS,
  webhookEventSchema,
  type AlertWebhook,
  type EndpointRequest,
  type FeedEventType,
  type PaymentWebhook,
  type WebhookEvent,
} from '../status';
import { pageQuerySchema } from './pagination';
import { refuseUnlessHttpUrl } from './http-url';
import { intentFailureReason, MAX_URL_LENGTH } from './payment-intents';
import { requestBody } from './request-body';
import { boundedText, ENDPOINT_URL_PATTERN } from './request-values';
import { timestamp, uuidText } from './request-fields';

export const MIN_SECRET_LENGTH = 16;
/** Seconds from a request to the headers of its response. */
export const WEBHOOK_RESPONSE_SECONDS = 10;
/** Ports that a URL of an endpoint may have. The network policy of the dispatcher opens the same. */
export const ENDPOINT_PORTS = [
  { from: 80, to: 80 },
  { from: 443, to: 443 },
  { from: 1_024, to: 65_535 },
] as const;
const EVENT_TYPES_SENTENCE = `eventTypes must be an array of ${webhookEventSchema.options.join(', ')}`;

export const endpointUrl = boundedText('url', {
  min: 0,
  max: MAX_URL_LENGTH,
  missing: 'url is required and must be a string',
})
  .meta({ pattern: ENDPOINT_URL_PATTERN, examples: ['https://shop.example/webhooks'] })
  .superRefine(refuseUnlessHttpUrl('url'));

export const endpointSecret = boundedText('secret', {
  min: MIN_SECRET_LENGTH,
  max: 256,
  missing: 'secret is required and must be a string',
}).meta({
  description:
    'Secret that signs the webhooks: a long random text. Never returned. The key is this text as UTF-8, also if it begins with `whsec_`.',
  examples: ['a-long-random-text'],
});

export const eventTypeList = z.array(z.enum(webhookEventSchema.options, { error: EVENT_TYPES_SENTENCE }), {
  error: EVENT_TYPES_SENTENCE,
});
export const paymentsWhenEmpty = (types: readonly WebhookEvent[] | null | undefined): WebhookEvent[] =>
  types?.length ? [...new Set(types)] : [...PAYMENT_WEBHOOKS];

/**
 * Body of POST /v1/webhooks/endpoints (spec section 4.7). Without event types: those about payments; duplicates are
 * removed.
 */
export const registerEndpointRequestSchema = requestBody({
  url: endpointUrl,
  secret: endpointSecret,
  eventTypes: eventTypeList
    .nullish()
    .transform(paymentsWhenEmpty)
    .meta({
      description: 'Default: the four event types about payments. Alerts are sent only to endpoints that name them.',
      examples: [['payment.paid', 'payment.expired']],
    }),
});
export type RegisterEndpointRequest = z.infer<typeof registerEndpointRequestSchema>;

/** An endpoint in the API; the secret is never returned. */
export const endpointResponseSchema = z
  .object({
    id: z.uuid(),
    url: z.string(),
    eventTypes: z.array(webhookEventSchema),
    environment: environmentSchema,
    isVerified: z.boolean().meta({ description: 'LIVE deliveries are held until it is true.' }),
    verifiedAt: timestamp.nullable(),
    isActive: z.boolean(),
    disabledReason: z.enum(['GONE', 'NO_SUCCESS']).nullable().meta({
      description:
        'Reason for automatic deactivation. GONE: the endpoint answered 410 twice. NO_SUCCESS: no successful delivery for five days.',
    }),
    failingSince: timestamp.nullable().meta({
      description: 'Time of the first failure after the last success. After five days the endpoint is deactivated.',
    }),
    secretOverlapEndsAt: timestamp.nullable().meta({
      description: 'End of the secret rotation, when the old secret becomes invalid. Null without a rotation.',
    }),
    createdAt: timestamp,
  })
  .meta({ id: 'WebhookEndpoint' });
export type EndpointResponse = z.infer<typeof endpointResponseSchema>;

const oneOf = (name: string, options: readonly string[]): string => `${name} must be one of ${options.join(', ')}`;

/** Query of GET /v1/webhooks/deliveries. */
export const deliveryQuerySchema = pageQuerySchema.extend({
  status: z.enum(deliveryStatusSchema.options, { error: oneOf('status', deliveryStatusSchema.options) }).optional(),
  eventType: z
    .enum(deliveredEventSchema.options, { error: oneOf('eventType', deliveredEventSchema.options) })
    .optional(),
  endpointId: uuidText('endpointId').optional(),
  paymentIntentId: uuidText('paymentIntentId').optional(),
});

/** A delivery in the API (spec section 2.5). */
export const deliveryResponseSchema = z
  .object({
    id: z.uuid(),
    endpointId: z.uuid(),
    paymentIntentId: z.uuid().nullable().meta({ description: 'Null for alerts and test events.' }),
    eventType: deliveredEventSchema,
    status: deliveryStatusSchema,
    attempt: z.int(),
    statusCode: z.int().nullable(),
    idempotencyKey: z.string(),
    deliveredAt: timestamp.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'WebhookDelivery' });
export type DeliveryResponse = z.infer<typeof deliveryResponseSchema>;

/**
 * Body of a webhook about a payment (spec section 6.1, with additions). Built once, stored and sent byte for byte the
 * same.
 */
export interface WebhookBody {
  readonly event: FeedEventType;
  readonly environment: z.infer<typeof environmentSchema>;
  /** Time of the event, not of the attempt. */
  readonly timestamp: string;
  readonly data: {
    readonly payment_intent_id: string;
    readonly amount: string;
    readonly currency: string;
    readonly customer_reference: string;
    readonly merchant_reference: string | null;
    readonly status: string;
    readonly payment_method: string | null;
    readonly receiver_msisdn: string | null;
    readonly metadata: Readonly<Record<string, string>> | null;
    readonly paid_at?: string;
    readonly trx_id?: string | null;
    readonly chosen_payment_method?: string | null;
    readonly chosen_receiver_msisdn?: string | null;
    readonly reason?: string;
    readonly received_amount?: string | null;
    readonly expired_at?: string;
  };
}

/** Body of a webhook about an alert. */
export interface AlertWebhookBody {
  readonly event: AlertWebhook;
  readonly environment: z.infer<typeof environmentSchema>;
  readonly timestamp: string;
  readonly data: z.infer<typeof alertDataSchema> & { readonly opened_at: string; readonly closed_at: string | null };
}

const alertDataSchema = z.object({
  alert_id: z.uuid(),
  kind: alertKindSchema,
  subject: z.string().meta({
    description: 'Id of the device, endpoint or payment intent, kind of the exceptions, or `all`.',
    examples: ['01935004-0000-7000-8000-00000000d001'],
  }),
  name: z
    .string()
    .nullable()
    .meta({ description: 'Name of the device or host of the endpoint.', examples: ['Counter phone'] }),
  count: z.int().positive(),
  since: timestamp.meta({ description: 'Time of the oldest problem.', examples: ['2026-11-20T08:45:30.000Z'] }),
});

const alertWebhookBody = <Event extends AlertWebhook, Times extends z.ZodRawShape>(event: Event, times: Times) =>
  z.object({ event: z.literal(event), environment: environmentSchema, timestamp, data: alertDataSchema.extend(times) });

const webhookDataSchema = z.object({
  payment_intent_id: z.uuid(),
  amount: z.string(),
  currency: z.literal('BDT'),
  customer_reference: z.string().max(16),
  merchant_reference: z.string().max(255).nullable(),
  status: intentStatusSchema,
  payment_method: paymentMethodSchema.nullable(),
  receiver_msisdn: z.string().nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
});

const webhookBody = <Event extends FeedEventType, Additions extends z.ZodRawShape>(
  event: Event,
  additions: Additions,
) =>
  z.object({
    event: z.literal(event),
    environment: environmentSchema,
    timestamp: timestamp,
    data: webhookDataSchema.extend(additions),
  });

const paymentWebhookBodies = {
  'payment.paid': webhookBody('payment.paid', {
    paid_at: timestamp,
    trx_id: z.string().nullable(),
    chosen_payment_method: paymentMethodSchema.nullable(),
    chosen_receiver_msisdn: z.string().nullable(),
  }),
  'payment.review_required': webhookBody('payment.review_required', {
    reason: z.string(),
    received_amount: z.string().nullable(),
  }),
  'payment.expired': webhookBody('payment.expired', { expired_at: timestamp }),
  'payment.rejected': webhookBody('payment.rejected', {
    reason: z.string().meta({ examples: ['rejected_by_person'] }),
  }),
} as const satisfies Record<PaymentWebhook, z.ZodType>;

const EXAMPLE_CHALLENGE = '0J4fQ6t2bW1xkq9mEw7nYzR3aVhUcL5s';

/** Body schema per event, for the API description and for tests. */
export const webhookBodySchemas = {
  ...paymentWebhookBodies,
  'alert.opened': alertWebhookBody('alert.opened', {
    opened_at: timestamp.meta({ examples: ['2026-11-20T09:01:32.000Z'] }),
    closed_at: z.null(),
  }),
  'alert.closed': alertWebhookBody('alert.closed', {
    opened_at: timestamp.meta({ examples: ['2026-11-20T08:51:10.000Z'] }),
    closed_at: timestamp,
  }),
} as const satisfies Record<WebhookEvent, z.ZodType>;

/**
 * Bodies of requests that an endpoint receives without a subscription: when the merchant verifies or tests it, or runs
 * test cases.
 */
export const endpointRequestSchemas = {
  'webhook.endpoint_verification': z.object({
    event: z.literal('webhook.endpoint_verification'),
    environment: environmentSchema,
    timestamp,
    challenge: z.string().meta({ description: 'Return this text.', examples: [EXAMPLE_CHALLENGE] }),
    data: z.object({
      challenge: z.string().meta({ description: 'The same text.', examples: [EXAMPLE_CHALLENGE] }),
    }),
  }),
  'webhook.test': z.object({
    event: z.literal('webhook.test'),
    environment: environmentSchema,
    timestamp,
    data: z.object({ endpoint_id: z.uuid(), test: z.literal(true) }),
  }),
  'webhook.order_status': z.object({
    event: z.literal('webhook.order_status'),
    environment: z.literal('SANDBOX'),
    timestamp,
    data: z.object({ payment_intent_id: z.uuid(), merchant_reference: z.string().max(255).nullable() }),
  }),
} as const satisfies Record<EndpointRequest, z.ZodType>;
export type EndpointRequestBody<Event extends EndpointRequest> = z.infer<(typeof endpointRequestSchemas)[Event]>;

/** Bodies of the responses to requests whose response is evaluated. */
export const endpointAnswerSchemas = {
  'webhook.endpoint_verification': z.object({
    challenge: z.string().meta({ description: 'The challenge of the request.', examples: [EXAMPLE_CHALLENGE] }),
  }),
  'webhook.order_status': z.object({
    stored: z.boolean().optional().meta({ description: 'Whether `payment.paid` of the intent is stored.' }),
    fulfilled: z.boolean().meta({ description: 'Whether the order is fulfilled.', examples: [false] }),
  }),
} as const satisfies Partial<Record<EndpointRequest, z.ZodType>>;

/** Payload of each entry of the event feed: bodies of webhooks about payments, and of the event that has none. */
export const feedPayloadSchemas = {
  ...paymentWebhookBodies,
  'payment.failed': webhookBody('payment.failed', { reason: intentFailureReason }),
} as const satisfies Record<FeedEventType, z.ZodType>;
