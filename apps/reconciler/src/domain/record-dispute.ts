import type { ClaimOutcome } from '@pay/contracts';
import { latestSubmission, timeClaim } from './claim-times';
import type { MatchingSession } from './matching-session';
import type { Match } from './working-set';
import { sameTenant, type Claim, type Evidence } from './facts';

/**
 * Informs the shop that the TrxID of a claim paid another intent: either customer may have copied it from the other's
 * screenshot. If the text names the paid intent, there is only a dispute when the claim's intent is in review: no other
 * exception leads to it.
 */
export function recordDispute(
  { workingSet, result, newId }: Pick<MatchingSession, 'workingSet' | 'result' | 'newId'>,
  claim: Claim,
  outcome: ClaimOutcome,
  evidence: Evidence,
): void {
  const match = workingSet.matches.get(evidence.smsEventId);
  const paidIntentId = match?.intentId;
  const intent = workingSet.intents.get(claim.intentId);
  if (outcome === 'matched' || match === undefined || paidIntentId === undefined) return;
  if (intent === undefined || !sameTenant(intent.tenant, claim.tenant)) return;
  const isEarly = timeClaim(claim, evidence).isEarly;
  const { status } = intent;
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
