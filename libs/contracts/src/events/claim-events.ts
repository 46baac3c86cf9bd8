import { z } from 'zod';

/** `claim.submitted`: a customer says that this TrxID paid this intent. aggregateId = claim id. */
export const claimSubmittedV1 = z.object({
  claimId: z.uuid(),
  paymentIntentId: z.uuid(),
  trxId: z.string(),
  submittedAt: z.iso.datetime({ offset: true }),
});
export type ClaimSubmitted = z.infer<typeof claimSubmittedV1>;

/** `claim.waiting`: the reconciler holds the claim and waits for its SMS. `claim.settled`: it has been judged. */
export const claimJudgedV1 = z.object({
  claimId: z.uuid(),
  paymentIntentId: z.uuid(),
  outcome: z.string(),
  smsEventId: z.uuid().nullable(),
});
export type ClaimJudged = z.infer<typeof claimJudgedV1>;
