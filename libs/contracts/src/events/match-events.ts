import { z } from 'zod';
import { paymentMethodSchema, providerSchema } from '../payment-method';
import { checksSchema, intentStatusSchema, matchPathSchema, matchStatusSchema, smsStatusSchema } from '../status';
import { timestamp } from '../timestamp';

/** The money a decision is about. */
export const evidenceSchema = z.object({
  smsEventId: z.uuid(),
  provider: providerSchema,
  paymentMethod: paymentMethodSchema,
  trxId: z.string(),
  amount: z.string(),
  receiverAccountId: z.uuid().nullable(),
  receiverMsisdn: z.string().nullable(),
  providerTime: timestamp,
  ingestedAt: timestamp,
});

/**
 * All `match.*` events. aggregateId = decision id. intent-api acts on `intent` alone, sms-ingest on `sms` alone; each
 * part carries its own sequence, counted by the reconciler per intent and per SMS event from 1 without gaps.
 * `intent` is null when the decision leaves the intent's status as it is, `sms` when no SMS is involved.
 */
export const matchV1 = z.object({
  matchId: z.uuid(),
  matchStatus: matchStatusSchema,
  path: matchPathSchema.nullable(),
  reason: z.string(),
  checks: checksSchema.nullable(),
  /**
   * For `late_payment`: whether the money was paid in time and only reported late, by the provider's time inside the
   * text.
   */
  paidInTime: z.boolean().nullish(),
  /** `system`, or `user:<id>` when a person decided. */
  decidedBy: z.string(),
  paymentIntentId: z.uuid().nullable(),
  intent: z.object({ id: z.uuid(), status: intentStatusSchema, sequence: z.int().positive() }).nullable(),
  sms: z.object({ id: z.uuid(), status: smsStatusSchema, sequence: z.int().positive() }).nullable(),
  evidence: evidenceSchema.nullable(),
});
export type MatchDecided = z.infer<typeof matchV1>;
