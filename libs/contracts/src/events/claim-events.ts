import { z } from 'zod';
import { timestamp } from '../timestamp';
import { reannouncement } from './reannouncement';

/**
 * Numbers of the submissions of a claim that a message contains, counted by checkout-api from 1. `last` is less than
 * `first` in a request that repeats a stored submission.
 */
export const submissionNumbersSchema = z.object({ first: z.int().positive(), last: z.int().nonnegative() });
export type SubmissionNumbers = z.infer<typeof submissionNumbersSchema>;

/**
 * `claim.submitted`: a customer says that this TrxID paid this intent. aggregateId = claim id. A later submission of
 * the same TrxID for the same intent has the same claim id, the next sequence and its own `submittedAt`.
 */
export const claimSubmittedV1 = z.object({
  claimId: z.uuid(),
  paymentIntentId: z.uuid(),
  trxId: z.string(),
  /** Time of arrival at checkout. */
  submittedAt: timestamp,
  /** Last three digits of the paying number. Absent or null: the customer gave none. */
  payerDigits: z.string().nullish(),
  /**
   * Absent in events of earlier versions. Of a claim that is published again, the event of its first time contains all
   * submissions except the last one, because checkout-api stores only the first and the latest time.
   */
  submissionNumbers: submissionNumbersSchema.optional(),
  ...reannouncement,
});

/** `claim.waiting`: the reconciler has stored the claim and waits for its SMS. `claim.settled`: it is decided. */
export const claimDecidedV1 = z.object({
  claimId: z.uuid(),
  paymentIntentId: z.uuid(),
  outcome: z.string(),
  smsEventId: z.uuid().nullable(),
  /** The latest decided submission. Absent in events of earlier versions. */
  submittedAt: timestamp.nullish(),
  /**
   * Number of submissions that the reconciler has received without a gap. Absent in events of earlier versions, and if
   * the last submission came from an earlier version.
   */
  submissions: z.int().nonnegative().optional(),
});
