import { webhookBodySchemas, webhookEventSchema, type WebhookEvent } from '@pay/contracts';
import { withExample } from './describe-operation';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from './document';
import type { SchemaBook } from './schema-book';

const MEANINGS: Readonly<Record<WebhookEvent, string>> = {
  'payment.paid': 'A payment intent is paid',
  'payment.review_required': 'A payment intent requires a manual review',
  'payment.expired': 'A payment intent has expired without payment',
  'payment.rejected': 'A payment intent was rejected by a reviewer',
  'alert.opened': 'An alert of the merchant was opened',
  'alert.closed': 'An alert of the merchant was closed: its problem is gone, or its kind was turned off',
};

const HEADERS: readonly (readonly [name: string, description: string, isSometimes?: true])[] = [
  ['X-Webhook-Id', 'Id of the delivery, identical in every attempt. Use it to detect duplicates.'],
  ['X-Webhook-Event', 'Name of the event.'],
  ['X-Webhook-Timestamp', 'Time of this attempt, ISO 8601.'],
  [
    'X-Webhook-Signature',
    '`sha256=` and the lower-case hex HMAC-SHA-256 of the raw body with the secret of the endpoint.',
  ],
  ['X-Webhook-Signature-Next', 'During a secret rotation: the signature with the new secret.', true],
  [
    'X-Webhook-Idempotency-Key',
    'Event name and id of the payment intent or alert. Example: `payment.paid:01935002-0000-7000-8000-00000000b001`.',
  ],
  ['X-Webhook-Attempt', 'Number of this attempt, starting at 1.'],
  ['webhook-id', 'Standard Webhooks: id of the delivery.'],
  ['webhook-timestamp', 'Standard Webhooks: Unix time of this attempt in seconds.'],
  ['webhook-signature', 'Standard Webhooks: `v1,` and the base64 HMAC-SHA-256 of `id.timestamp.body`, one per secret.'],
];

/** The webhook requests, one entry per event. */
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
    description: 'The body is identical in every attempt. Verify the signature of the raw body before parsing it.',
    parameters,
    requestBody: {
      required: true,
      content: { 'application/json': withExample(book, book.answer(webhookBodySchemas[event])) },
    },
    responses: {
      '2XX': { description: 'Delivered.' },
      default: { description: 'Not delivered; the delivery is retried later.' },
    },
  });
  return Object.fromEntries(webhookEventSchema.options.map((event) => [event, { post: post(event) }]));
}
