import {
  checkoutViewSchema,
  type ClaimOutcome,
  type IntentSnapshot,
  type MerchantFact,
  type ReceiverAccountFact,
} from '@pay/contracts';
import { checkoutView, type ViewFacts } from './checkout-view';
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

const view = (of: IntentCopy, facts: Partial<ViewFacts> = {}) =>
  checkoutView(of, { merchant, accounts: [], claimOutcomes: [], online: new Map(), now: NOW, ...facts });

describe('the checkout view', () => {
  it('obeys its contract', () => {
    expect(() => checkoutViewSchema.parse(view(copy()))).not.toThrow();
  });

  it('satisfies its contract', () => {
    const shown = JSON.stringify(view(copy()));

    expect(shown).not.toMatch(/SECRETTRX1|01999999999|customer-77|success|internal/);
  });

  it('contains the name of the merchant, or null while the directory does not know it', () => {
    const nameWith = (fact: MerchantFact | undefined) => view(copy(), { merchant: fact }).merchantName;

    expect([nameWith(merchant), nameWith(undefined)]).toEqual(['Boi Bazar', null]);
  });

  it('states whether the merchant requires the digits of the payer', () => {
    const required = { ...merchant, checkout: { requirePayerDigits: true } };
    const facts = [required, merchant, undefined];

    expect(facts.map((fact) => view(copy(), { merchant: fact }).payerDigitsRequired)).toEqual([true, false, false]);
  });

  it('offers every enabled method with an active receiver, in the order of the specification', () => {
    const accounts = [
      account('NAGAD_PAYMENT'),
      account('BKASH_PAYMENT'),
      account('BKASH_CASHOUT'),
      account('NAGAD_SEND_MONEY', false),
    ];

    expect(view(copy(), { accounts }).paymentMethods).toEqual(['BKASH_PAYMENT', 'NAGAD_PAYMENT']);
  });

  it('offers only the method that the merchant has fixed', () => {
    const accounts = [account('NAGAD_PAYMENT'), account('BKASH_PAYMENT')];

    expect(view(copy({ methodFixed: true }), { accounts }).paymentMethods).toEqual(['BKASH_PAYMENT']);
  });

  it('contains the redirect of the current outcome only', () => {
    const addresses = { successUrl: 'https://shop.example/success', failedUrl: 'https://shop.example/failed' };
    const leadsTo = (status: IntentSnapshot['status']) => view(copy({ ...addresses, status })).redirectUrl;

    expect(leadsTo('PENDING')).toBeNull();
    expect(leadsTo('EXPIRED')).toBeNull();
    expect(leadsTo('REJECTED')).toMatch(/^https:\/\/shop\.example\/failed\?payment_intent_id=.*&status=REJECTED&/);
    expect(leadsTo('PAID')).not.toContain('failed');
  });

  it.each([
    ['PENDING', [], 'none'],
    ['PENDING', ['waiting'], 'waiting'],
    ['EXPIRED', [], 'none'],
    ['EXPIRED', ['intent_expired'], 'late'],
    ['EXPIRED', ['duplicate_trx_id', 'intent_expired'], 'late'],
    ['EXPIRED', ['duplicate_trx_id'], 'used'],
    ['PENDING', ['duplicate_trx_id'], 'used'],
    ['PENDING', ['duplicate_trx_id', 'waiting'], 'waiting'],
    ['PENDING', ['dropped', 'duplicate_trx_id'], 'used'],
    ['PENDING', ['duplicate_trx_id', 'matched'], 'none'],
    ['PENDING', ['amount_mismatch', 'duplicate_trx_id'], 'none'],
  ] as const)('of a %s intent with claims decided as %j states %s', (status, claimOutcomes, claim) => {
    expect(view(copy({ status }), { claimOutcomes }).claim).toBe(claim);
  });

  it.each([
    ['PENDING', 'waiting'],
    ['REVIEW_REQUIRED', 'waiting'],
    ['EXPIRED', 'late'],
    ['PAID', 'none'],
    ['REJECTED', 'none'],
    ['FAILED', 'none'],
  ] as const)('of a %s intent states %s for an unknown TrxID and for one that must stay hidden', (status, claim) => {
    const unseen: readonly ClaimOutcome[] = ['waiting', 'not_found', 'intent_expired', 'intent_not_pending'];
    const others: readonly ClaimOutcome[][] = [[], ['duplicate_trx_id'], ['dropped', 'waiting']];
    const states = others.flatMap((also) =>
      unseen.map((outcome) => view(copy({ status }), { claimOutcomes: [...also, outcome] }).claim),
    );

    expect(new Set(states)).toEqual(new Set([claim]));
  });

  it('contains the branding of its merchant, or none', () => {
    const branding = { logo: null, colour: '#0a7d33' };

    expect(view(copy(), { merchant: { ...merchant, branding } }).branding).toEqual(branding);
    expect(view(copy()).branding).toEqual({ logo: null, colour: null });
  });

  test('contains time and TrxID of the payment only once it is paid', () => {
    const paidAt = '2026-11-21T10:02:00.000Z';
    const paid = copy({ status: 'PAID', paidAt });

    expect(view({ ...paid, paidTrxId: 'DKL4A1B2C3' })).toMatchObject({ paidAt, trxId: 'DKL4A1B2C3' });
    expect(view({ ...copy({ paidAt }), paidTrxId: 'DKL4A1B2C3' })).toMatchObject({ paidAt: null, trxId: null });
  });

  test('contains the support contact of the merchant, and empty fields if none is set', () => {
    const support = { phone: '+880 9600-000000', email: 'help@shop.example', website: 'https://shop.example' };

    expect(view(copy(), { merchant: { ...merchant, support } }).support).toEqual(support);
    expect(view(copy()).support).toEqual({ phone: null, email: null, website: null });
  });

  it('contains the state of the phone of the shown receiver only', () => {
    const online = new Map([['00000000-0000-7000-8000-0000000000c1', false]]);

    expect(view(copy(), { online }).receiverOnline).toBe(false);
    expect(view(copy({ receiverAccountId: null }), { online }).receiverOnline).toBeNull();
    expect(view(copy()).receiverOnline).toBeNull();
  });

  it('offers nothing once the intent is settled', () => {
    const accounts = [account('BKASH_PAYMENT')];

    expect(view(copy({ status: 'PAID' }), { accounts }).paymentMethods).toEqual([]);
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

  it('with the highest sequence is kept, in any order of arrival', () => {
    const other = copy({ id: '00000000-0000-7000-8000-000000000002' });

    expect(newestOfEach([copy({}, 2), other, copy({}, 3), copy({}, 1)]).map((each) => each.sequence)).toEqual([3, 1]);
  });
});
