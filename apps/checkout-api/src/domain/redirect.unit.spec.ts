import type { IntentSnapshot, IntentStatus } from '@pay/contracts';
import { redirectAfter, redirectAfterCancel } from './redirect';

const ID = '00000000-0000-7000-8000-000000000001';

function intent(overrides: Partial<IntentSnapshot> = {}): IntentSnapshot {
  return {
    id: ID,
    amount: '500',
    currency: 'BDT',
    status: 'PENDING',
    customerReference: 'INV 1',
    merchantReference: 'order/7&x',
    paymentMethod: null,
    receiverMsisdn: null,
    receiverAccountId: null,
    shownReceivers: [],
    methodFixed: false,
    expectedTrxId: null,
    expectedSenderMsisdn: null,
    customerId: null,
    language: null,
    successUrl: 'https://shop.example/ok',
    failedUrl: 'https://shop.example/failed',
    cancelUrl: 'https://shop.example/cancelled',
    expiredUrl: 'https://shop.example/expired',
    metadata: null,
    createdAt: '2026-11-21T04:00:00.000Z',
    expiresAt: '2026-11-21T04:05:00.000Z',
    paidAt: null,
    ...overrides,
  };
}

describe('redirect after an outcome', () => {
  it.each([
    ['PAID', '/ok'],
    ['FAILED', '/failed'],
    ['REJECTED', '/failed'],
    ['EXPIRED', '/expired'],
    ['CANCELLED', '/cancelled'],
  ] as const)('of %s uses its own URL', (status, path) => {
    expect(new URL(redirectAfter(intent(), status) ?? '').pathname).toBe(path);
  });

  it.each(['PENDING', 'REVIEW_REQUIRED'] as const)('of %s is none', (status) => {
    expect(redirectAfter(intent(), status)).toBeNull();
  });

  it('is none without a URL', () => {
    expect(redirectAfter(intent({ successUrl: null }), 'PAID')).toBeNull();
  });

  it('appends the four parameters, escaped', () => {
    const { searchParams } = new URL(redirectAfter(intent(), 'PAID') ?? '');

    expect(Object.fromEntries(searchParams)).toEqual({
      payment_intent_id: ID,
      status: 'PAID',
      customer_reference: 'INV 1',
      merchant_reference: 'order/7&x',
    });
  });

  it('has an empty parameter for a missing merchant reference', () => {
    const url = redirectAfter(intent({ merchantReference: null }), 'PAID') ?? '';

    expect(new URL(url).searchParams.get('merchant_reference')).toBe('');
  });

  it('keeps query and fragment of the merchant unchanged', () => {
    const url = redirectAfter(intent({ successUrl: 'https://shop.example/ok?a=%20b&status=mine#end' }), 'PAID') ?? '';

    expect(url.startsWith('https://shop.example/ok?a=%20b&status=mine&payment_intent_id=')).toBe(true);
    expect(new URL(url).hash).toBe('#end');
  });
});

describe('redirect after cancelling', () => {
  it.each([
    ['PENDING', 'CANCELLED', '/cancelled'],
    ['REVIEW_REQUIRED', 'CANCELLED', '/cancelled'],
    ['PAID', 'PAID', '/ok'],
    ['EXPIRED', 'EXPIRED', '/expired'],
  ] as const)('shows an intent that is %s as %s', (status: IntentStatus, shown, path) => {
    const url = new URL(redirectAfterCancel(intent({ status })) ?? '');

    expect([url.pathname, url.searchParams.get('status')]).toEqual([path, shown]);
  });
});
