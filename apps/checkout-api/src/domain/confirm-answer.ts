import type { ClaimOutcome, ConfirmResponse, ErrorCode } from '@pay/contracts';

export type ConfirmAnswer =
  | { readonly kind: 'answered'; readonly response: ConfirmResponse }
  | { readonly kind: 'refused'; readonly code: ErrorCode };

/**
 * A TrxID of another receiver, method, environment or merchant is already `not_found` here, so that the response does
 * not reveal whether it exists.
 */
export function confirmAnswer(intentId: string, outcome: ClaimOutcome, smsEventId: string | null): ConfirmAnswer {
  const answered = (response: Pick<ConfirmResponse, 'matched' | 'smsEventId' | 'reason'>): ConfirmAnswer => ({
    kind: 'answered',
    response: {
      matched: response.matched,
      paymentIntentId: intentId,
      smsEventId: response.smsEventId,
      reason: response.reason,
    },
  });
  switch (outcome) {
    case 'matched':
      return answered({ matched: true, smsEventId, reason: 'trx_id_match' });
    case 'waiting':
    case 'not_found':
    case 'dropped':
      return answered({ matched: false, smsEventId: null, reason: 'trx_id_not_found' });
    case 'amount_mismatch':
      return answered({ matched: false, smsEventId, reason: 'trx_id_match_amount_mismatch' });
    case 'duplicate_trx_id':
      return { kind: 'refused', code: 'duplicate_trx_id' };
    case 'intent_expired':
      return { kind: 'refused', code: 'INTENT_EXPIRED' };
    case 'intent_not_pending':
      return { kind: 'refused', code: 'INTENT_NOT_PENDING' };
  }
}

/** Without a timely decision. The claim is stored and will be decided. */
export function stillProcessing(intentId: string): ConfirmResponse {
  return { matched: false, paymentIntentId: intentId, smsEventId: null, reason: 'processing' };
}

/**
 * True if the response does not count against the limit of failed confirms. A slow decision is not a failure of the
 * customer.
 */
export function isNoFailure({ matched, reason }: Pick<ConfirmResponse, 'matched' | 'reason'>): boolean {
  return matched || reason === 'processing';
}
