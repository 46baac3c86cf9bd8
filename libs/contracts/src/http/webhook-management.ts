import { z } from 'zod';
import { requestBody } from './request-body';
import { timeText } from './request-values';
import { deliveryResponseSchema, endpointSecret, endpointUrl, eventTypeList, paymentsWhenEmpty } from './webhooks';
import { timestamp, yesOrNo } from './request-fields';

const DAY_SECONDS = 86_400;
export const LONGEST_OVERLAP_SECONDS = 7 * DAY_SECONDS;
export const RECOVERABLE_DAYS = 30;

/** Body of PATCH /v1/webhooks/endpoints/:id. Absent and null fields are not changed. */
export const changeEndpointRequestSchema = requestBody({
  url: endpointUrl.nullish().meta({ description: 'A changed URL must be verified again.' }),
  eventTypes: eventTypeList
    .nullish()
    .transform((types) => (types ? paymentsWhenEmpty(types) : undefined))
    .meta({ description: 'Empty: the four event types about payments.' }),
  isActive: yesOrNo('isActive')
    .nullish()
    .meta({ description: 'While false, deliveries are held. After true, they wait until you call `recover`.' }),
  secret: z
    .null({ error: 'secret cannot be changed here; use POST /v1/webhooks/endpoints/:id/rotate-secret' })
    .optional()
    .meta({ description: 'Not changed here: use `rotate-secret`. Any value except null returns 400.' }),
}).meta({
  examples: [{ url: 'https://shop.example/webhooks', eventTypes: ['payment.paid'], isActive: true }],
});
export type ChangeEndpointRequest = z.infer<typeof changeEndpointRequestSchema>;

const OVERLAP_SENTENCE = `overlapSeconds must be a whole number from 0 to ${LONGEST_OVERLAP_SECONDS}`;

/** Body of POST /v1/webhooks/endpoints/:id/rotate-secret. */
export const rotateSecretRequestSchema = requestBody({
  secret: endpointSecret,
  overlapSeconds: z
    .int(OVERLAP_SENTENCE)
    .min(0, OVERLAP_SENTENCE)
    .max(LONGEST_OVERLAP_SECONDS, OVERLAP_SENTENCE)
    .nullish()
    .transform((seconds) => seconds ?? DAY_SECONDS)
    .meta({
      description: 'Seconds during which both secrets sign. 0: only the new secret signs immediately.',
      examples: [DAY_SECONDS],
    }),
});
export type RotateSecretRequest = z.infer<typeof rotateSecretRequestSchema>;

/** Body of POST /v1/webhooks/endpoints/:id/recover. */
export const recoverRequestSchema = requestBody({
  since: timeText('since', 'since must be an ISO 8601 timestamp such as 2026-11-21T10:00:00Z').meta({
    description: `Must not be in the future. A time more than ${RECOVERABLE_DAYS} days ago is treated as ${RECOVERABLE_DAYS} days ago.`,
    examples: ['2026-11-21T10:00:00Z'],
  }),
});

export const recoverySchema = z
  .object({
    id: z.uuid(),
    endpointId: z.uuid(),
    since: timestamp,
    status: z.enum(['RUNNING', 'DONE']),
    redelivered: z.int().meta({ description: 'Number of failed or held deliveries that were sent again.' }),
    created: z.int().meta({ description: 'Number of deliveries created for missed events.' }),
    createdAt: timestamp,
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'WebhookRecovery' });
export type RecoveryResponse = z.infer<typeof recoverySchema>;

export const latestRecoverySchema = z.object({ recovery: recoverySchema.nullable() });

/** The stored part of one request to an endpoint, without signatures and secrets. */
export const deliveryAttemptSchema = z
  .object({
    attempt: z.int(),
    trigger: z.enum(['schedule', 'probe', 'resend', 'recover']),
    startedAt: timestamp,
    finishedAt: timestamp.nullable(),
    outcome: z
      .string()
      .nullable()
      .meta({
        description:
          'Null while the request is in progress. UNKNOWN: the sending process stopped before the result was stored. STALE_SOCKET: the endpoint ' +
          'had closed the reused connection; the next attempt used a new one immediately. DNS: the host name has no public address.',
        examples: ['HTTP_5XX'],
      }),
    detail: z
      .string()
      .nullable()
      .meta({ examples: ['ECONNREFUSED'] }),
    durationMs: z.int().nullable(),
    request: z.object({ headers: z.record(z.string(), z.string()) }),
    response: z
      .object({
        statusCode: z.int(),
        headers: z.record(z.string(), z.string()).nullable().meta({ description: 'Stored only for failed attempts.' }),
        body: z.string().nullable().meta({ description: 'The first 8 KiB of the body.' }),
      })
      .nullable(),
  })
  .meta({ id: 'WebhookDeliveryAttempt' });
export type DeliveryAttemptResponse = z.infer<typeof deliveryAttemptSchema>;

export const deliveryDetailSchema = deliveryResponseSchema
  .extend({
    nextAttemptAt: timestamp.nullable().meta({
      description:
        'Null while the delivery is held or being sent, and after it has finished. Includes a pause after consecutive failures of the endpoint.',
    }),
    body: z.string().meta({ description: 'The request body, identical in every attempt.' }),
    attempts: z.array(deliveryAttemptSchema),
  })
  .meta({ id: 'WebhookDeliveryDetail' });
export type DeliveryDetailResponse = z.infer<typeof deliveryDetailSchema>;
