import {
  ENDPOINT_REQUESTS,
  endpointAnswerSchemas,
  endpointRequestSchemas,
  webhookBodySchemas,
  webhookEventSchema,
  type EndpointRequest,
  type WebhookEvent,
} from '@pay/contracts';
import type { z } from 'zod';
import { withExample } from './describe-operation';
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter, OpenApiResponse } from './document';
import type { SchemaBook } from './schema-book';

type Name = WebhookEvent | EndpointRequest;

const SUMMARIES: Readonly<Record<Name, string>> = {
  'payment.paid': 'A payment intent is paid',
  'payment.review_required': 'A payment intent requires a manual review',
  'payment.expired': 'A payment intent has expired without payment',
  'payment.rejected': 'A payment intent was rejected by a reviewer',
  'alert.opened': 'An alert of the merchant was opened',
  'alert.closed': 'An alert of the merchant was closed: its problem is gone, or its kind was turned off',
  'webhook.endpoint_verification': 'The gateway verifies an endpoint',
  'webhook.test': 'A test event that the merchant requested',
  'webhook.order_status': 'A test case asks for the status of an order',
};

const DETAILS: Readonly<Partial<Record<Name, string>>> = {
  'payment.paid': 'Can follow `payment.expired`, when the merchant approves a late payment.',
  'payment.expired':
    'Not final: `payment.paid` can follow, when the merchant approves a late payment. If you cancel the order at this event, handle a ' +
    'later `payment.paid`, which means that the customer has paid.',
  'webhook.endpoint_verification':
    'Sent by `verifyWebhookEndpoint`, once and without a retry. Return 2xx and `challenge` as JSON. No subscription is needed.',
  'webhook.test':
    'Sent by `testWebhookEndpoint`. Return 2xx. It does not refer to a payment. No subscription is needed.',
  'webhook.order_status':
    'Sent in SANDBOX by test cases, once and without a retry. Return 200 and the state of the order as JSON; otherwise the expectations ' +
    'about your shop are skipped. No subscription is needed.',
};

/** The steps of docs/webhooks/README.md. */
const VERIFICATION = `Anybody can send requests to your endpoint. Verify each request before you use it:

1. Take the raw bytes of the body, before any JSON parser.
2. Join \`webhook-id\`, \`webhook-timestamp\` and the body with dots. Compute the HMAC-SHA-256 of the result with the secret of the endpoint
   (its text as UTF-8), in base64. \`v1,\` followed by this value must be one of the entries of \`webhook-signature\`, which are separated by
   spaces. Compare in constant time.
3. Refuse a \`webhook-timestamp\` that differs from the current time by more than five minutes.
4. Refuse a request without all three \`webhook-*\` headers. Do not fall back to \`X-Webhook-Signature\`: a captured request can be sent again
   with it at any time.
5. Fulfil an order only if \`environment\` in the body is the environment of your shop. A \`SANDBOX\` event means that no money was paid.
6. De-duplicate by \`event\` and \`payment_intent_id\` of the body, so that a payment that is sent twice ships once.

The body is identical in every attempt.`;

const HEADERS: readonly (readonly [name: string, description: string, isSometimes?: true])[] = [
  ['webhook-id', 'Standard Webhooks: id of the delivery, the same as `X-Webhook-Id`.'],
  ['webhook-timestamp', 'Standard Webhooks: Unix time of this attempt in seconds.'],
  [
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA-256 of `id.timestamp.body`. During a secret rotation, one entry per secret, ' +
      'separated by a space. Verify this signature.',
  ],
  [
    'X-Webhook-Id',
    'Id of the delivery, derived from endpoint and event: identical in every attempt, redelivery and recovery. Two endpoints receive the ' +
      'same event with two ids, also if they have the same URL. De-duplicate by `event` and `payment_intent_id` of the body.',
  ],
  ['X-Webhook-Event', 'Name of the event.'],
  ['X-Webhook-Timestamp', 'Time of this attempt, ISO 8601. Not signed.'],
  [
    'X-Webhook-Idempotency-Key',
    'Event name and id of the payment intent or alert, or of the delivery if there is neither. Example: ' +
      '`payment.paid:01935002-0000-7000-8000-00000000b001`. Not signed.',
  ],
  ['X-Webhook-Attempt', 'Number of this attempt, starting at 1.'],
  [
    'X-Webhook-Signature',
    'Replayable; only for older receivers. New receivers verify `webhook-signature`. `sha256=` and the lower-case hex HMAC-SHA-256 of the ' +
      'raw body with the secret of the endpoint. It signs neither id nor time, so a captured request can be sent again at any time.',
  ],
  [
    'X-Webhook-Signature-Next',
    'During a secret rotation: `X-Webhook-Signature` with the new secret. Replayable; only for older receivers.',
    true,
  ],
];

/** The requests that an endpoint receives: one entry per event, and those that need no subscription. */
export function describeWebhooks(book: SchemaBook): OpenApiDocument['webhooks'] {
  const parameters = HEADERS.map(([name, description, isSometimes]): OpenApiParameter => ({
    name,
    in: 'header',
    required: isSometimes !== true,
    description,
    schema: { type: 'string' },
  }));
  const post = (name: Name, body: z.ZodType, answer?: z.ZodType): OpenApiOperation => ({
    operationId: `on.${name}`,
    tags: ['Webhooks'],
    summary: SUMMARIES[name],
    description: [DETAILS[name], VERIFICATION].filter((part) => part !== undefined).join('\n\n'),
    parameters,
    requestBody: { required: true, content: { 'application/json': withExample(book, book.answer(body)) } },
    responses:
      answer === undefined
        ? {
            '2XX': { description: 'Delivered.' },
            default: { description: 'Not delivered; the delivery is retried later.' },
          }
        : { '2XX': answered(book, answer), default: { description: 'Not accepted; the request is not retried.' } },
  });
  const answers: Readonly<Partial<Record<EndpointRequest, z.ZodType>>> = endpointAnswerSchemas;
  return Object.fromEntries([
    ...webhookEventSchema.options.map((event) => [event, { post: post(event, webhookBodySchemas[event]) }] as const),
    ...ENDPOINT_REQUESTS.map(
      (name) => [name, { post: post(name, endpointRequestSchemas[name], answers[name]) }] as const,
    ),
  ]);
}

function answered(book: SchemaBook, answer: z.ZodType): OpenApiResponse {
  return { description: 'Accepted.', content: { 'application/json': withExample(book, book.answer(answer)) } };
}
