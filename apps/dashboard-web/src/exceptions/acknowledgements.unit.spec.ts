import { DOUBTS_TO_ACKNOWLEDGE, type Checks } from '@pay/contracts';
import { acknowledgedFields, CLAIM_DOUBTS, claimDoubtsOf, mismatchesOf } from './acknowledgements';

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
