import type { ClaimOutcome } from '@pay/contracts';
import { latestSubmission, timeClaim } from './claim-times';
import type { MatchingSession } from './matching-session';
import type { Match } from './working-set';
import type { Claim, Evidence } from './facts';

/**
 * Informs the shop that a claim was refused because its TrxID paid another intent: either customer may have copied it
 * from the other's screenshot. If the text names the paid intent, there is only a dispute when the claim's intent is in
 * review: no other exception leads to it.
 */
export function recordDispute(
  { workingSet, result, newId }: Pick<MatchingSession, 'workingSet' | 'result' | 'newId'>,
  claim: Claim,
  outcome: ClaimOutcome,
  evidence: Evidence,
): void {
  const match = workingSet.matches.get(evidence.smsEventId);
  const paidIntentId = match?.intentId;
  if (outcome !== 'duplicate_trx_id' || match === undefined || paidIntentId === undefined) return;
  const isEarly = timeClaim(claim, evidence).isEarly;
  const status = workingSet.intents.get(claim.intentId)?.status;
  const isClear = status === 'PAID' || (match.checks?.reference === 'pass' && status !== 'REVIEW_REQUIRED');
  if (isEarly || isClear || wasWeighed(match, claim)) return;
  const { tenant, intentId, trxId } = claim;
  const submittedAt = latestSubmission(claim);
  const { smsEventId } = evidence;
  result.disputes.push({ id: newId(), tenant, intentId, trxId, smsEventId, submittedAt, paidIntentId });
}

/** A person has already decided about this intent. */
function wasWeighed({ decidedBy, candidates }: Match, { intentId }: Claim): boolean {
  return decidedBy !== 'system' && candidates.some(({ paymentIntentId }) => paymentIntentId === intentId);
}
