import type { Checks, DoubtToAcknowledge, ExceptionResponse } from '@pay/contracts';

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

/** Doubts about who has paid: the reviewer must name each of them to approve. The same as in the contracts. */
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
