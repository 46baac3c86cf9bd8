import {
  MOST_CANDIDATES,
  type Checks,
  type DoubtToAcknowledge,
  type ExceptionDetails,
  type ExceptionResponse,
} from '@pay/contracts';
import { candidateReasons } from './other-intents';

export const MISMATCHES = ['AMOUNT_DIFFERS', 'METHOD_DIFFERS', 'RECEIVER_DIFFERS', 'NAMES_ANOTHER_INTENT'] as const;
export type Mismatch = (typeof MISMATCHES)[number];

export function isMismatch(code: string): code is Mismatch {
  return (MISMATCHES as readonly string[]).includes(code);
}

/** The failed checks that a reviewer accepts by approving a payment. */
export function mismatchesOf(checks: Checks | null): readonly Mismatch[] {
  if (checks === null) return [];
  return [
    ...(checks.amount === 'fail' ? ['AMOUNT_DIFFERS' as const] : []),
    ...(checks.method === 'fail' ? ['METHOD_DIFFERS' as const] : []),
    ...(checks.receiver === 'fail' ? ['RECEIVER_DIFFERS' as const] : []),
    ...(checks.reference === 'fail' ? ['NAMES_ANOTHER_INTENT' as const] : []),
  ];
}

/** Doubts about who has paid: the reviewer must name each of them to approve or link. The same as in the contracts. */
export const CLAIM_DOUBTS = [
  'competing_claims',
  'payer_digits_differ',
  'payer_digits_missing',
  'claim_before_payment',
  'contradicting_texts',
  'other_intent_rejected',
] as const satisfies readonly DoubtToAcknowledge[];
export type ClaimDoubt = (typeof CLAIM_DOUBTS)[number];

export function claimDoubtsOf({ reason, doubts }: Pick<ExceptionResponse, 'reason' | 'doubts'>): readonly ClaimDoubt[] {
  return CLAIM_DOUBTS.filter((doubt) => doubt === reason || doubts.includes(doubt));
}

/** Doubts about the text itself, whichever intent it pays. */
const DOUBTS_ABOUT_THE_TEXT: readonly string[] = ['contradicting_texts', 'other_intent_rejected'];

/**
 * The doubts that a reviewer accepts by linking this intent: all of them for the intent of the exception; for another
 * one those about the text, and those of the candidate. If the list of candidates is full, it may lack this one.
 */
export function doubtsOfLink(
  item: Pick<ExceptionDetails, 'reason' | 'doubts' | 'paymentIntentId' | 'candidates'>,
  intentId: string,
): readonly ClaimDoubt[] {
  if (intentId === item.paymentIntentId) return claimDoubtsOf(item);
  const reasons = candidateReasons(item, intentId);
  const isUnlisted = reasons.length === 0 && item.candidates.length >= MOST_CANDIDATES;
  const ofCandidate = isUnlisted ? ['competing_claims'] : reasons;
  const aboutTheText = item.doubts.filter((doubt) => DOUBTS_ABOUT_THE_TEXT.includes(doubt));
  return CLAIM_DOUBTS.filter((doubt) => ofCandidate.includes(doubt) || aboutTheText.includes(doubt));
}

/** The acknowledgement fields of the request. Amounts are repeated, so that only a displayed amount can be approved. */
export function acknowledgedFields(
  accepted: readonly (Mismatch | ClaimDoubt)[],
  amounts: { readonly expected: string; readonly received: string } | undefined,
) {
  const doubts = CLAIM_DOUBTS.filter((doubt) => accepted.includes(doubt));
  return {
    ...(accepted.includes('AMOUNT_DIFFERS') && amounts
      ? {
          acknowledgeAmountDifference: true as const,
          expectedAmount: amounts.expected,
          receivedAmount: amounts.received,
        }
      : {}),
    ...(accepted.includes('METHOD_DIFFERS') ? { acknowledgeMethodMismatch: true as const } : {}),
    ...(accepted.includes('RECEIVER_DIFFERS') ? { acknowledgeReceiverMismatch: true as const } : {}),
    ...(accepted.includes('NAMES_ANOTHER_INTENT') ? { acknowledgeReferenceMismatch: true as const } : {}),
    ...(doubts.length > 0 ? { acknowledgeDoubts: doubts } : {}),
  };
}
