import type { IntentStatus, PaymentMethod } from '@pay/contracts';
import { countedIn, countedOver } from './counted';
import { UNDECIDED, type StoredIntent } from './stored-intent';

function stored(
  status: IntentStatus,
  paymentMethod: PaymentMethod | null = 'BKASH_PAYMENT',
  merchantId = 'shop',
): StoredIntent {
  const intent = { status, paymentMethod } as StoredIntent['intent'];
  return { merchantId, environment: 'LIVE', sequence: 1, ...UNDECIDED, intent };
}

const place = { merchantId: 'shop', environment: 'LIVE', status: 'PENDING', paymentMethod: 'BKASH_PAYMENT' };

describe('counts of intents', () => {
  it('intents with the same tenant, status and method are one change', () => {
    const other = stored('PENDING', null);

    expect(countedIn([stored('PENDING'), other, stored('PENDING')])).toEqual([
      { ...place, intents: 2 },
      { ...place, paymentMethod: null, intents: 1 },
    ]);
  });

  it('a status or method change decreases one counter and increases another', () => {
    const moves = [{ before: stored('PENDING', null), next: stored('PAID') }];

    expect(countedOver(moves)).toEqual([
      { ...place, paymentMethod: null, intents: -1 },
      { ...place, status: 'PAID', intents: 1 },
    ]);
  });

  it('a status that an intent has only within a transaction is not counted', () => {
    const moves = [
      { before: stored('PENDING'), next: stored('REVIEW_REQUIRED') },
      { before: stored('REVIEW_REQUIRED'), next: stored('REJECTED') },
    ];

    expect(countedOver(moves).map(({ status, intents }) => [status, intents])).toEqual([
      ['PENDING', -1],
      ['REJECTED', 1],
    ]);
  });
});
