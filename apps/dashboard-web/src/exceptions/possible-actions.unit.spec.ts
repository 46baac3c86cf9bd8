import type { ExceptionResponse } from '@pay/contracts';
import { possibleDecisions } from './possible-actions';

const money = {} as NonNullable<ExceptionResponse['money']>;
const open: Parameters<typeof possibleDecisions>[0] = {
  ...({ status: 'OPEN', kind: 'amount_differs', matchStatus: 'REVIEW_REQUIRED', money } as const),
  ...({ paymentIntentId: 'an intent', intentStatus: 'REVIEW_REQUIRED' } as const),
};

describe('possibleDecisions', () => {
  it('offers to approve, link, reject and close a payment in review', () => {
    expect(possibleDecisions(open)).toEqual(['resolve', 'link', 'reject', 'refunded', 'not-ours']);
  });

  it('offers no approval of an intent that is paid already', () => {
    expect(possibleDecisions({ ...open, kind: 'paid_twice', intentStatus: 'PAID' })).toEqual([
      'link',
      'refunded',
      'not-ours',
    ]);
  });

  it('offers only a link of a payment without an intent', () => {
    const item = { ...open, kind: 'no_intent', paymentIntentId: null, intentStatus: null } as const;
    expect(possibleDecisions(item)).toEqual(['link', 'refunded', 'not-ours']);
  });

  it('offers only to close an SMS that could not be read', () => {
    const item = { ...open, kind: 'unparsed', money: null, paymentIntentId: null, intentStatus: null } as const;
    expect(possibleDecisions(item)).toEqual(['refunded', 'not-ours']);
  });

  it('offers to refund or reject a disputed TrxID', () => {
    expect(possibleDecisions({ ...open, kind: 'disputed_trx_id', intentStatus: 'PENDING' })).toEqual([
      'refunded',
      'reject',
    ]);
  });

  it('offers to open a rejected exception again, but not an approved one', () => {
    const closed = { ...open, status: 'CLOSED', kind: null } as const;
    expect(possibleDecisions({ ...closed, matchStatus: 'REJECTED' })).toEqual(['reopen']);
    expect(possibleDecisions({ ...closed, matchStatus: 'MANUALLY_RESOLVED' })).toEqual([]);
  });
});
