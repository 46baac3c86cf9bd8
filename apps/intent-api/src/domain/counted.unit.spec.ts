import type { IntentStatus, PaymentMethod } from '@pay/contracts';
import { countedIn, countedOver } from './counted';
import { UNDECIDED, type StoredIntent } from './stored-intent';

function stored(
  status: IntentStatus,
  paymentMethod: PaymentMethod | null = 'BKASH_PAYMENT',
  merchantId = 'shop',
): StoredIntent {
  // The counts look at nothing else of an intent.
  const intent = { status, paymentMethod } as StoredIntent['intent'];
  return { merchantId, environment: 'LIVE', sequence: 1, ...UNDECIDED, intent };
}

const place = { merchantId: 'shop', environment: 'LIVE', status: 'PENDING', paymentMethod: 'BKASH_PAYMENT' };

describe('counts of intents', () => {
  it('intents created for one place are one change', () => {
    const other = stored('PENDING', null);

    expect(countedIn([stored('PENDING'), other, stored('PENDING')])).toEqual([
      { ...place, intents: 2 },
      { ...place, paymentMethod: null, intents: 1 },
    ]);
  });

  it('a move leaves one place and enters another, also when only the method tells them apart', () => {
    const moves = [{ before: stored('PENDING', null), next: stored('PAID') }];

    expect(countedOver(moves)).toEqual([
      { ...place, paymentMethod: null, intents: -1 },
      { ...place, status: 'PAID', intents: 1 },
    ]);
  });

  it('what is passed through in one transaction is not counted', () => {
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
