import type { Claim, Evidence, Intent } from './facts';
import { byTheMinute, MINUTE_MS } from './rules';

/**
 * How much earlier than the minute of the payment a claim may be submitted to lead to a review, and how much later than
 * the rejection of its intent: the clocks of provider, checkout and reconciler differ.
 */
export const CLAIM_TOLERANCE_MS = 2 * MINUTE_MS;

type EndOfIntent = Pick<Intent, 'expiresAt' | 'rejectedAt'>;

export interface TimedClaim {
  /** The claim; `submittedAt` is the time of the submission that counts. */
  readonly claim: Claim;
  /** Submitted before the payment was possible: ignored. */
  readonly isEarly: boolean;
}

/**
 * Chooses the submission that a claim is decided by: the first one at or after the minute of the payment, otherwise the
 * last one. A TrxID that was submitted before its payment is a guess, and TrxIDs can be guessed.
 */
export function timeClaim(claim: Claim, evidence: Pick<Evidence, 'providerTime'>): TimedClaim {
  const paidAt = byTheMinute(evidence.providerTime);
  const times = submissionsOf(claim);
  const submittedAt = times.find((time) => time.getTime() >= paidAt) ?? times.at(-1) ?? claim.submittedAt;
  return {
    claim: { ...claim, submittedAt, resubmittedAt: undefined },
    isEarly: submittedAt.getTime() < paidAt - CLAIM_TOLERANCE_MS,
  };
}

/** Whether the submission that a claim is decided by came before the minute of the payment. */
export function isBeforePayment({ submittedAt }: Claim, { providerTime }: Pick<Evidence, 'providerTime'>): boolean {
  return submittedAt.getTime() < byTheMinute(providerTime);
}

/** Whether a submission that is not early came before the intent was rejected. */
export function isBeforeRejection(claim: Claim, { rejectedAt }: Intent, { providerTime }: Evidence): boolean {
  if (rejectedAt === undefined) return true;
  const earliest = byTheMinute(providerTime) - CLAIM_TOLERANCE_MS;
  return submissionsOf(claim).some((time) => time.getTime() >= earliest && time <= lastBefore(rejectedAt));
}

function lastBefore(rejectedAt: Date): Date {
  return new Date(rejectedAt.getTime() + CLAIM_TOLERANCE_MS);
}

export function latestSubmission({ submittedAt, resubmittedAt }: Claim): Date {
  return resubmittedAt ?? submittedAt;
}

/**
 * The claim after one more submission, in whatever order submissions arrive. Two times are kept, the latest by the end
 * of the intent (the first of all while the intent is unknown) and the latest of all: the first may still pay or
 * compete, the second may still open a late item.
 */
export function withSubmission(claim: Claim, time: Date, intent: EndOfIntent | undefined): Claim {
  const end = intent?.rejectedAt === undefined ? intent?.expiresAt : lastBefore(intent.rejectedAt);
  const times = [...submissionsOf(claim), time].sort((one, other) => one.getTime() - other.getTime());
  const latest = times.at(-1) ?? time;
  const inTime = end === undefined ? times[0] : times.findLast((each) => each <= end);
  const submittedAt = inTime ?? latest;
  return { ...claim, submittedAt, resubmittedAt: latest > submittedAt ? latest : undefined };
}

function submissionsOf({ submittedAt, resubmittedAt }: Claim): Date[] {
  return resubmittedAt === undefined ? [submittedAt] : [submittedAt, resubmittedAt];
}
