import { z } from 'zod';
import { requestBody } from './request-body';
import { timeText } from './request-values';
import { allWhenEmpty, deliveryResponseSchema, endpointSecret, endpointUrl, eventTypeList } from './webhooks';

const DAY_SECONDS = 86_400;
export const LONGEST_OVERLAP_SECONDS = 7 * DAY_SECONDS;
export const RECOVERABLE_DAYS = 30;

/** Body of PATCH /v1/webhooks/endpoints/:id. What is absent or null stays as it is. */
export const changeEndpointRequestSchema = requestBody({
  url: endpointUrl.nullish().meta({ description: 'A changed address is unverified again.' }),
  eventTypes: eventTypeList
    .nullish()
    .transform((types) => (types ? allWhenEmpty(types) : undefined))
    .meta({ description: 'All four when empty.' }),
  isActive: z
    .boolean({ error: 'isActive must be true or false' })
    .nullish()
    .meta({ description: 'While it is false, events are held.' }),
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
    .meta({ description: 'How long both secrets sign. 0: the new one alone, at once.', examples: [DAY_SECONDS] }),
});
export type RotateSecretRequest = z.infer<typeof rotateSecretRequestSchema>;

/** Body of POST /v1/webhooks/endpoints/:id/recover. */
export const recoverRequestSchema = requestBody({
  since: timeText('since', 'since must be an ISO 8601 time such as 2026-11-21T10:00:00Z').meta({
    description: `Not in the future. More than ${RECOVERABLE_DAYS} days ago is answered as ${RECOVERABLE_DAYS} days ago.`,
    examples: ['2026-11-21T10:00:00Z'],
  }),
});

export const recoverySchema = z
  .object({
    id: z.uuid(),
    endpointId: z.uuid(),
    since: z.string(),
    status: z.enum(['RUNNING', 'DONE']),
    redelivered: z.int().meta({ description: 'Deliveries that had failed or were held, sent again under their id.' }),
    created: z.int().meta({ description: 'Deliveries made for events that the endpoint had missed.' }),
    createdAt: z.string(),
    finishedAt: z.string().nullable(),
  })
  .meta({ id: 'WebhookRecovery' });
export type RecoveryResponse = z.infer<typeof recoverySchema>;

export const latestRecoverySchema = z.object({ recovery: recoverySchema.nullable() });

/** One request to an endpoint, as far as it is kept. Signatures and secrets are not. */
export const deliveryAttemptSchema = z
  .object({
    attempt: z.int(),
    trigger: z.enum(['schedule', 'probe', 'resend', 'recover']),
    startedAt: z.string(),
    finishedAt: z.string().nullable(),
    outcome: z
      .string()
      .nullable()
      .meta({
        description:
          'Null while it is under way. UNKNOWN: the process that sent it was lost. STALE_SOCKET: the connection of an earlier request was closed ' +
          'as this one went out on it; the next attempt followed at once on a fresh one. DNS: the host name of the URL has no public address.',
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
        headers: z.record(z.string(), z.string()).nullable().meta({ description: 'Kept for failures.' }),
        body: z.string().nullable().meta({ description: 'The first 8 KiB.' }),
      })
      .nullable(),
  })
  .meta({ id: 'WebhookDeliveryAttempt' });
export type DeliveryAttemptResponse = z.infer<typeof deliveryAttemptSchema>;

export const deliveryDetailSchema = deliveryResponseSchema
  .extend({
    nextAttemptAt: z.string().nullable().meta({ description: 'Null while it is held, and when it is over.' }),
    body: z.string().meta({ description: 'The bytes of every request.' }),
    attempts: z.array(deliveryAttemptSchema),
  })
  .meta({ id: 'WebhookDeliveryDetail' });
export type DeliveryDetailResponse = z.infer<typeof deliveryDetailSchema>;
