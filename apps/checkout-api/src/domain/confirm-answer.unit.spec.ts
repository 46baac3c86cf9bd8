import { confirmResponseSchema, type ClaimOutcome } from '@pay/contracts';
import { confirmAnswer, stillProcessing } from './confirm-answer';

const INTENT = '00000000-0000-7000-8000-000000000001';
const SMS = '00000000-0000-7000-8000-0000000000e1';

describe('the answer to a claim', () => {
  it.each([
    ['matched', true, SMS, 'trx_id_match'],
    ['waiting', false, null, 'trx_id_not_found'],
    ['not_found', false, null, 'trx_id_not_found'],
    ['amount_mismatch', false, SMS, 'trx_id_match_amount_mismatch'],
  ] as const)('%s is answered', (outcome: ClaimOutcome, matched, smsEventId, reason) => {
    const answer = confirmAnswer(INTENT, outcome, SMS);

    expect(answer).toEqual({ kind: 'answered', response: { matched, paymentIntentId: INTENT, smsEventId, reason } });
  });

  it.each([
    ['duplicate_trx_id', 'duplicate_trx_id'],
    ['intent_expired', 'INTENT_EXPIRED'],
    ['intent_not_pending', 'INTENT_NOT_PENDING'],
  ] as const)('%s is refused', (outcome, code) => {
    expect(confirmAnswer(INTENT, outcome, SMS)).toEqual({ kind: 'refused', code });
  });

  it('a claim without a decision is processing', () => {
    expect(confirmResponseSchema.parse(stillProcessing(INTENT))).toMatchObject({
      matched: false,
      reason: 'processing',
    });
  });
});
