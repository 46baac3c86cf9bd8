import { z } from 'zod';
import { environmentSchema } from '../environment';
import { pageOf, pageQuerySchema } from './pagination';
import { environmentFilter, timestamp, uuidText } from './request-fields';

export const missingSmsStatusSchema = z.enum(['OPEN', 'EXPLAINED']);
export type MissingSmsStatus = z.infer<typeof missingSmsStatusSchema>;

/** Query of GET /v1/dashboard/missing-sms. */
export const missingSmsListQuerySchema = pageQuerySchema.extend({
  environment: environmentFilter,
  receiverAccountId: uuidText('receiverAccountId').optional(),
  status: z.enum(missingSmsStatusSchema.options, { error: 'status must be OPEN or EXPLAINED' }).optional(),
});
export type MissingSmsListQuery = z.infer<typeof missingSmsListQuerySchema>;

/** Query of sms-ingest's `GET /internal/v1/missing-sms`: the same, and whose. */
export const internalMissingSmsQuerySchema = missingSmsListQuerySchema.extend({ merchantId: z.uuid() });

/**
 * Money that moved on a wallet without an SMS that reports it: the sum between two balances that do not follow from
 * each other.
 */
export const missingSmsResponseSchema = z.object({
  id: z.uuid(),
  environment: environmentSchema,
  /** All accounts of the wallet. */
  receiverAccountIds: z.array(z.uuid()),
  receiverMsisdn: z.string(),
  direction: z.enum(['IN', 'OUT']),
  /** One payment, or several together. */
  amount: z.string(),
  /** The provider's times, to the minute, of the texts before and behind. */
  from: timestamp,
  to: timestamp,
  /** EXPLAINED: the texts came late. */
  status: missingSmsStatusSchema,
  foundAt: timestamp,
  explainedAt: timestamp.nullable(),
  /** All of it in words, with times of Bangladesh. */
  sentence: z.string(),
});
export type MissingSmsResponse = z.infer<typeof missingSmsResponseSchema>;

export const missingSmsPageSchema = pageOf(missingSmsResponseSchema);
export type MissingSmsPage = z.infer<typeof missingSmsPageSchema>;
