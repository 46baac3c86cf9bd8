import type { ClaimOutcome } from '@pay/contracts';
import type { Assessment } from './assess';
import { isOpen, type Claim, type Intent } from './facts';

export interface ClaimDecision {
  readonly outcome: ClaimOutcome;
  readonly reason: string;
}

/** A claim whose TrxID is unknown, as far as its customer may know. */
export function decideUnseenClaim(claim: Claim, intent: Intent | undefined): ClaimDecision {
  if (intent === undefined) return { outcome: 'waiting', reason: 'intent_unknown' };
  if (intent.status === 'EXPIRED' || (isOpen(intent) && claim.submittedAt > intent.expiresAt)) {
    return { outcome: 'intent_expired', reason: 'intent_expired' };
  }
  if (!isOpen(intent)) return { outcome: 'intent_not_pending', reason: 'intent_not_pending' };
  return { outcome: 'waiting', reason: 'trx_id_not_seen' };
}

/** A claim that was submitted too early to count: answered as if its evidence had not arrived. */
export function decideEarlyClaim(claim: Claim, intent: Intent): ClaimDecision {
  const { outcome, reason } = decideUnseenClaim(claim, intent);
  return outcome === 'waiting' ? { outcome, reason: 'claim_too_early' } : { outcome, reason };
}

/** A claim whose evidence has arrived. `payee` is the intent that the evidence pays. */
export function decideSeenClaim(
  claim: Claim,
  intent: Intent,
  assessment: Assessment,
  payee: string | undefined,
): ClaimDecision {
  if (payee === intent.id) return { outcome: 'matched', reason: 'trx_id_match' };
  const { kind } = assessment;
  // The order is required: evidence that the claimant may not see comes first, then used evidence, then everything
  // else.
  if (kind === 'not_seen' && assessment.reason !== 'names_another_intent')
    return asUnseen(claim, intent, assessment.reason);
  if (payee !== undefined) return { outcome: 'duplicate_trx_id', reason: 'duplicate_trx_id' };
  if (kind === 'not_seen') return asUnseen(claim, intent, assessment.reason);
  if (kind === 'pays') throw new Error('invariant: evidence that pays an intent is USED');
  switch (assessment.reason) {
    case 'late_payment':
      return { outcome: 'intent_expired', reason: assessment.reason };
    case 'intent_already_paid':
    case 'intent_closed':
      return { outcome: 'intent_not_pending', reason: assessment.reason };
    case 'reference_match_amount_mismatch':
    case 'trx_id_match_amount_mismatch':
      return { outcome: 'amount_mismatch', reason: assessment.reason };
    case 'evidence_too_old':
    case 'forgery_signals':
    case 'unsigned_forwarder':
    case 'balance_break':
    case 'payer_differs':
    case 'claim_before_payment':
    case 'payer_digits_missing':
    case 'payer_digits_differ':
    case 'competing_claims':
    case 'other_intent_rejected':
    case 'contradicting_texts':
    case 'match_window_over':
    case 'wrong_method':
    case 'wrong_receiver':
    case 'receiver_unknown':
      return asUnseen(claim, intent, assessment.reason);
  }
}

function asUnseen(claim: Claim, intent: Intent, reason: string): ClaimDecision {
  const { outcome } = decideUnseenClaim(claim, intent);
  return { outcome: outcome === 'waiting' ? 'not_found' : outcome, reason };
}

/** The id of the SMS, if the claimant may see it: only the one that the claim's own intent was matched with. */
export function shownSmsEventId({ outcome, smsEventId }: Claim): string | undefined {
  return outcome === 'matched' || outcome === 'amount_mismatch' ? smsEventId : undefined;
}
