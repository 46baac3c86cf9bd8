import type { Checks, MatchPath } from '@pay/contracts';
import { claimDoubtsAbout } from './claim-doubts';
import { doubtsAbout } from './doubts';
import type { Claim, Intent } from './facts';
import type { MatchDoubt, NotSeenReason, ReviewReason } from './reasons';
import { cameInTime, checkAll, isRecentEnough, wasPaidInTime, type Case } from './rules';

/** The result of comparing one piece of evidence with one intent. */
export type Assessment =
  | { readonly kind: 'pays'; readonly checks: Checks }
  | {
      readonly kind: 'review';
      readonly reason: ReviewReason;
      readonly checks: Checks;
      /** Doubtful evidence for an open intent: the intent is put under review too. */
      readonly concernsIntent: boolean;
      readonly paidInTime: boolean | undefined;
      /** Doubts of the merchant's rules about the evidence and the claim, also if a check fails. */
      readonly doubts: readonly MatchDoubt[];
    }
  /** TrxID path only: the evidence has no effect and is not shown to the claimant. */
  | { readonly kind: 'not_seen'; readonly reason: NotSeenReason; readonly checks: Checks };

/** An intent to which a reference or a claim leads, with the result. */
export interface Assessed {
  readonly path: MatchPath;
  readonly intent: Intent;
  readonly assessment: Assessment;
  readonly claim: Claim | undefined;
  /** An early claim: it has no effect. */
  readonly isEarly: boolean;
}

/** The text leads to the intent, and its claimant may see it. */
export function isSeen({ assessment }: Assessed): boolean {
  return assessment.kind !== 'not_seen';
}

export function assess(question: Case): Assessment {
  const { path, intent, evidence } = question;
  const checks = checkAll(question);
  const doubts: readonly MatchDoubt[] = [...doubtsAbout(question), ...claimDoubtsAbout(question)];
  const review = (reason: ReviewReason, concernsIntent: boolean): Assessment => ({
    kind: 'review',
    reason,
    checks,
    concernsIntent,
    paidInTime: reason === 'late_payment' ? wasPaidInTime(question) : undefined,
    doubts,
  });

  const elsewhere = wentElsewhere(question, checks);
  if (elsewhere !== undefined) {
    return path === 'REFERENCE' ? review(elsewhere, false) : { kind: 'not_seen', reason: elsewhere, checks };
  }
  if (path === 'TRX_ID' && checks.reference === 'fail')
    return { kind: 'not_seen', reason: 'names_another_intent', checks };

  switch (intent.status) {
    case 'PAID':
      return review('intent_already_paid', false);
    case 'FAILED':
    case 'REJECTED':
      return review('intent_closed', false);
    case 'EXPIRED':
      return review('late_payment', false);
    case 'PENDING':
    case 'REVIEW_REQUIRED':
      break;
  }
  if (!cameInTime(question)) return review('late_payment', false);
  if (checks.amount === 'fail') {
    return review(path === 'REFERENCE' ? 'reference_match_amount_mismatch' : 'trx_id_match_amount_mismatch', true);
  }
  if (!isRecentEnough(question)) {
    return review(evidence.state === 'LAPSED' ? 'match_window_over' : 'evidence_too_old', true);
  }
  const [doubt] = doubts;
  return doubt === undefined ? { kind: 'pays', checks } : review(doubt, true);
}

function wentElsewhere(
  { evidence }: Case,
  checks: Checks,
): 'wrong_method' | 'wrong_receiver' | 'receiver_unknown' | undefined {
  if (checks.method === 'fail') return 'wrong_method';
  if (checks.receiver !== 'fail') return undefined;
  return evidence.receiverAccountId === undefined ? 'receiver_unknown' : 'wrong_receiver';
}
