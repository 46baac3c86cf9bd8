import type { CheckoutView } from '@pay/contracts';

/** A typical view for tests: pending, several methods, one chosen. */
export function aView(change: Partial<CheckoutView> = {}): CheckoutView {
  return {
    id: '0193a5b0-7c1e-7000-8000-000000000001',
    amount: '1250.5',
    currency: 'BDT',
    status: 'PENDING',
    environment: 'LIVE',
    customerReference: 'K7MPQ2XW9R',
    merchantReference: 'ORDER-7',
    paymentMethod: 'BKASH_SEND_MONEY',
    paymentMethods: ['BKASH_SEND_MONEY', 'NAGAD_CASHOUT'],
    receiverMsisdn: '01712345678',
    receiverOnline: null,
    merchantName: 'Boi Bazar',
    branding: { logo: null, colour: null },
    support: { phone: null, email: null, website: null },
    language: null,
    claim: 'none',
    payerDigitsRequired: false,
    paidAt: null,
    trxId: null,
    redirectUrl: null,
    expiresAt: '2026-11-21T10:05:00.000Z',
    serverTime: '2026-11-21T10:00:30.000Z',
    ...change,
  };
}
