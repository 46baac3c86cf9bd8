import { DOUBTS_TO_ACKNOWLEDGE, MOST_CANDIDATES, type Checks, type ExceptionDetails } from '@pay/contracts';
import { acknowledgedFields, CLAIM_DOUBTS, claimDoubtsOf, doubtsOfLink, mismatchesOf } from './acknowledgements';

const passed: Checks = {
  ...({ reference: 'pass', amount: 'pass', environment: 'pass', method: 'pass' } as const),
  ...({ receiver: 'pass', expiry: 'fail', reuse: 'not_applicable' } as const),
};

it('requires one acknowledgement per failed check that a reviewer may accept', () => {
  expect(mismatchesOf(passed)).toEqual([]);
  expect(mismatchesOf({ ...passed, amount: 'fail', receiver: 'fail' })).toEqual(['AMOUNT_DIFFERS', 'RECEIVER_DIFFERS']);
  expect(mismatchesOf(null)).toEqual([]);
});

it('requires an acknowledgement of each doubt about who has paid, whether or not it is the reason', () => {
  expect(claimDoubtsOf({ reason: 'competing_claims', doubts: ['competing_claims', 'contradicting_texts'] })).toEqual([
    'competing_claims',
    'contradicting_texts',
  ]);
  expect(claimDoubtsOf({ reason: 'other_intent_rejected', doubts: [] })).toEqual(['other_intent_rejected']);
  expect(claimDoubtsOf({ reason: 'late_payment', doubts: ['evidence_too_old'] })).toEqual([]);
});

describe('linking an intent', () => {
  const item = {
    reason: 'payer_digits_differ',
    doubts: ['payer_digits_differ', 'contradicting_texts', 'evidence_too_old'],
    paymentIntentId: 'own',
    candidates: [
      { paymentIntentId: 'own', reason: 'payer_digits_differ', doubts: [] },
      { paymentIntentId: 'claimed', reason: 'competing_claims', doubts: ['competing_claims'] },
      { paymentIntentId: 'late', reason: 'late_payment', doubts: [] },
      { paymentIntentId: 'unsigned', reason: 'unsigned_forwarder', doubts: ['unsigned_forwarder', 'competing_claims'] },
    ] as ExceptionDetails['candidates'],
  };

  it.each([
    ['all doubts', 'own', ['payer_digits_differ', 'contradicting_texts']],
    ['the doubts about the text and of the candidate', 'claimed', ['competing_claims', 'contradicting_texts']],
    ['the doubts about the text and of the candidate', 'unsigned', ['competing_claims', 'contradicting_texts']],
    ['the doubts about the text', 'late', ['contradicting_texts']],
    ['the doubts about the text', 'unrelated', ['contradicting_texts']],
  ] as const)('requires an acknowledgement of %s for the intent "%s"', (_, intentId, doubts) => {
    expect(doubtsOfLink(item, intentId)).toEqual(doubts);
  });

  it('requires an acknowledgement of competing claims for an intent that a full list may lack', () => {
    const [candidate] = item.candidates;
    const candidates = Array.from({ length: MOST_CANDIDATES }, () => candidate as (typeof item.candidates)[number]);
    expect(doubtsOfLink({ ...item, doubts: [], candidates }, 'unrelated')).toEqual(['competing_claims']);
  });

  it('requires none for another intent if only the payer is doubtful', () => {
    expect(doubtsOfLink({ ...item, doubts: ['payer_digits_differ'] }, 'unrelated')).toEqual([]);
  });
});

it('names the doubts that the API requires, each one that was ticked', () => {
  expect(CLAIM_DOUBTS).toEqual(DOUBTS_TO_ACKNOWLEDGE);
  expect(acknowledgedFields(['other_intent_rejected', 'competing_claims'], undefined)).toEqual({
    acknowledgeDoubts: ['competing_claims', 'other_intent_rejected'],
  });
});

it('repeats both amounts when a difference is accepted', () => {
  expect(acknowledgedFields(['AMOUNT_DIFFERS'], { expected: '500', received: '450' })).toEqual({
    acknowledgeAmountDifference: true,
    expectedAmount: '500',
    receivedAmount: '450',
  });
});

it('accepts nothing that was not ticked', () => {
  expect(acknowledgedFields([], { expected: '500', received: '450' })).toEqual({});
});
