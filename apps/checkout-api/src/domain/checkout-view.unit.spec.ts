import { checkoutViewSchema, type IntentSnapshot, type MerchantFact, type ReceiverAccountFact } from '@pay/contracts';
import { checkoutView } from './checkout-view';
import { isOverdue, newestOfEach, type IntentCopy } from './intent-copy';

const MERCHANT_ID = '00000000-0000-7000-8000-00000000000a';
const NOW = new Date('2026-11-21T04:01:00Z');

function copy(intent: Partial<IntentSnapshot> = {}, sequence = 1): IntentCopy {
  return {
    merchantId: MERCHANT_ID,
    environment: 'LIVE',
    sequence,
    intent: {
      id: '00000000-0000-7000-8000-000000000001',
      amount: '500',
      currency: 'BDT',
      status: 'PENDING',
      customerReference: 'INV-1',
      merchantReference: null,
      paymentMethod: 'BKASH_PAYMENT',
      receiverMsisdn: '01700000001',
      receiverAccountId: '00000000-0000-7000-8000-0000000000c1',
      shownReceivers: [],
      methodFixed: false,
      expectedTrxId: 'SECRETTRX1',
      expectedSenderMsisdn: '01999999999',
      customerId: 'customer-77',
      language: null,
      successUrl: 'https://shop.example/success',
      failedUrl: null,
      cancelUrl: null,
      expiredUrl: null,
      metadata: { note: 'internal' },
      createdAt: '2026-11-21T04:00:00.000Z',
      expiresAt: '2026-11-21T04:05:00.000Z',
      paidAt: null,
      ...intent,
    },
  };
}

const merchant: MerchantFact = {
  id: MERCHANT_ID,
  version: 1,
  deleted: false,
  name: 'Boi Bazar',
  isActive: true,
  enabledMethods: ['BKASH_PAYMENT', 'NAGAD_PAYMENT'],
};

function account(paymentMethod: ReceiverAccountFact['paymentMethod'], isActive = true): ReceiverAccountFact {
  return {
    id: '00000000-0000-7000-8000-0000000000c1',
    version: 1,
    deleted: false,
    merchantId: MERCHANT_ID,
    environment: 'LIVE',
    paymentMethod,
    msisdn: '01700000001',
    isActive,
  };
}

describe('the checkout view', () => {
  it('obeys its contract', () => {
    expect(() => checkoutViewSchema.parse(checkoutView(copy(), { merchant, accounts: [], now: NOW }))).not.toThrow();
  });

  it('shows nothing but what its customer may see', () => {
    const shown = JSON.stringify(checkoutView(copy(), { merchant, accounts: [], now: NOW }));

    expect(shown).not.toMatch(/SECRETTRX1|01999999999|customer-77|success|internal/);
  });

  it('names the merchant, or nobody while the directory does not know it', () => {
    const nameWith = (fact: MerchantFact | undefined) =>
      checkoutView(copy(), { merchant: fact, accounts: [], now: NOW }).merchantName;

    expect([nameWith(merchant), nameWith(undefined)]).toEqual(['Boi Bazar', null]);
  });

  it('offers every enabled method with an active receiver, in the order of the specification', () => {
    const accounts = [
      account('NAGAD_PAYMENT'),
      account('BKASH_PAYMENT'),
      account('BKASH_CASHOUT'),
      account('NAGAD_SEND_MONEY', false),
    ];

    expect(checkoutView(copy(), { merchant, accounts, now: NOW }).paymentMethods).toEqual([
      'BKASH_PAYMENT',
      'NAGAD_PAYMENT',
    ]);
  });

  it('offers only the method that the merchant has fixed', () => {
    const accounts = [account('NAGAD_PAYMENT'), account('BKASH_PAYMENT')];

    expect(checkoutView(copy({ methodFixed: true }), { merchant, accounts, now: NOW }).paymentMethods).toEqual([
      'BKASH_PAYMENT',
    ]);
  });

  it('offers nothing once the intent is settled', () => {
    const accounts = [account('BKASH_PAYMENT')];

    expect(checkoutView(copy({ status: 'PAID' }), { merchant, accounts, now: NOW }).paymentMethods).toEqual([]);
  });
});

describe('a copy of an intent', () => {
  it.each([
    ['PENDING', '2026-11-21T04:05:00Z', true],
    ['PENDING', '2026-11-21T04:04:59.999Z', false],
    ['PAID', '2026-11-21T04:06:00Z', false],
  ] as const)('%s at %s is overdue: %s', (status, at, overdue) => {
    expect(isOverdue(copy({ status }), new Date(at))).toBe(overdue);
  });

  it('of several the highest sequence counts, in whatever order they came', () => {
    const other = copy({ id: '00000000-0000-7000-8000-000000000002' });

    expect(newestOfEach([copy({}, 2), other, copy({}, 3), copy({}, 1)]).map((each) => each.sequence)).toEqual([3, 1]);
  });
});
