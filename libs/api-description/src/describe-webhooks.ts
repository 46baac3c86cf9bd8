import { webhookBodySchemas, webhookEventSchema, type WebhookEvent } from '@pay/contracts';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from './document';
import type { SchemaBook } from './schema-book';

const MEANINGS: Readonly<Record<WebhookEvent, string>> = {
  'payment.paid': 'A payment intent is paid',
  'payment.review_required': 'A person has to look at a payment',
  'payment.expired': 'A payment intent has expired unpaid',
  'payment.rejected': 'A person has rejected a payment',
};

const HEADERS: readonly (readonly [name: string, description: string, isSometimes?: true])[] = [
  ['X-Webhook-Id', 'The delivery, the same at every attempt. De-duplicate by it.'],
  ['X-Webhook-Event', 'Name of the event.'],
  ['X-Webhook-Timestamp', 'Time of this attempt, ISO 8601.'],
  [
    'X-Webhook-Signature',
    "`sha256=` and the lower-case hex HMAC-SHA-256 of the body's bytes under the endpoint's secret.",
  ],
  ['X-Webhook-Signature-Next', 'While the secret is being rotated: the same under the new one.', true],
  [
    'X-Webhook-Idempotency-Key',
    'Event and payment intent. Example: `payment.paid:01935002-0000-7000-8000-00000000b001`.',
  ],
  ['X-Webhook-Attempt', 'Counts from 1.'],
  ['webhook-id', 'Standard Webhooks: the delivery.'],
  ['webhook-timestamp', 'Standard Webhooks: time of this attempt in seconds.'],
  [
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA-256 of `id.timestamp.body`; one for each secret.',
  ],
];

/** What a merchant's endpoint receives, one entry for each event. */
export function describeWebhooks(book: SchemaBook): OpenApiDocument['webhooks'] {
  const parameters = HEADERS.map(([name, description, isSometimes]): OpenApiParameter => ({
    name,
    in: 'header',
    required: isSometimes !== true,
    description,
    schema: { type: 'string' },
  }));
  const post = (event: WebhookEvent): OpenApiOperation => ({
    operationId: `on.${event}`,
    tags: ['Webhooks'],
    summary: MEANINGS[event],
    description: 'The same bytes at every attempt. Verify the signature over the raw body before you read it.',
    parameters,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: book.answer(webhookBodySchemas[event]) } },
    },
    responses: {
      '2XX': { description: 'Delivered.' },
      default: { description: 'Not delivered; it is tried again later.' },
    },
  });
  return Object.fromEntries(webhookEventSchema.options.map((event) => [event, { post: post(event) }]));
}
