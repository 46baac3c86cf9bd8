import type { CheckoutView } from '@pay/contracts';
import { aView } from '../../test/a-view';
import { isKeptLate, stageOf, STEPS } from './page-state';

describe('the stage of the page', () => {
  test.each([
    ['PAID', 'paid'],
    ['REVIEW_REQUIRED', 'review'],
    ['EXPIRED', 'expired'],
    ['FAILED', 'failed'],
    ['REJECTED', 'rejected'],
  ] as const)('shows %s for any URL parameters', (status, stage) => {
    for (const step of [undefined, ...STEPS]) expect(stageOf(aView({ status }), step)).toBe(stage);
  });

  test.each<[string, Partial<CheckoutView>, (typeof STEPS)[number] | undefined, string]>([
    ['one method: how to pay', {}, undefined, 'pay'],
    ['several and none chosen: the choice', { paymentMethod: null, receiverMsisdn: null }, undefined, 'choose'],
    ['a choice that is to be changed', {}, 'choose', 'choose'],
    ['a method that is fixed cannot be changed', { paymentMethods: ['BKASH_SEND_MONEY'] }, 'choose', 'pay'],
    ['no wallet is open', { paymentMethod: null, paymentMethods: [] }, undefined, 'unavailable'],
    ['a TrxID waits for its SMS', { claim: 'waiting' }, undefined, 'waiting'],
    ['a TrxID waits, and another one is to be entered', { claim: 'waiting' }, 'trx', 'pay'],
    ['the customer has cancelled', {}, 'cancelled', 'cancelled'],
    ['the time is over and nothing is settled', { expiresAt: '2026-11-21T10:00:00.000Z' }, undefined, 'checking'],
  ])('%s', (_name, change, step, stage) => {
    expect(stageOf(aView(change), step)).toBe(stage);
  });
});

test.each([
  ['EXPIRED', 'waiting', true],
  ['EXPIRED', 'late', true],
  ['EXPIRED', 'used', false],
  ['EXPIRED', 'none', false],
  ['PENDING', 'waiting', false],
] as const)(
  'the TrxID of a payment that is %s with a claim that is %s is kept for the shop: %s',
  (status, claim, kept) => {
    expect(isKeptLate({ status, claim })).toBe(kept);
  },
);
