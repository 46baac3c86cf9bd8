import type { PaymentMethod, ReceiverAccountFact } from '@pay/contracts';
import { chooseReceiver } from './receiver-choice';

function account(id: number, paymentMethod: PaymentMethod, isActive = true): ReceiverAccountFact {
  return {
    id: `00000000-0000-7000-8000-00000000000${id}`,
    version: 1,
    deleted: false,
    merchantId: '00000000-0000-7000-8000-00000000000a',
    environment: 'LIVE',
    paymentMethod,
    msisdn: `0170000000${id}`,
    isActive,
  };
}

const BKASH = account(1, 'BKASH_PAYMENT');
const BKASH_TOO = account(2, 'BKASH_PAYMENT');
const NAGAD = account(3, 'NAGAD_PAYMENT');
const ALL: PaymentMethod[] = ['BKASH_PAYMENT', 'NAGAD_PAYMENT'];

function choose(
  accounts: ReceiverAccountFact[],
  method?: PaymentMethod,
  enabledMethods = ALL,
  used: [string, number][] = [],
) {
  const choice = chooseReceiver({ method, enabledMethods, accounts, lastUsed: new Map(used) });
  return choice.kind === 'chosen' ? choice.account.msisdn : choice.kind;
}

describe('choice of a receiver', () => {
  it('a named method gets an active account of that method', () => {
    expect(choose([BKASH, NAGAD], 'NAGAD_PAYMENT')).toBe(NAGAD.msisdn);
  });

  it('a named method whose only account is switched off gets none', () => {
    expect(choose([account(1, 'BKASH_PAYMENT', false), NAGAD], 'BKASH_PAYMENT')).toBe('none');
  });

  it('a named method that the merchant has not enabled gets none', () => {
    expect(choose([BKASH, NAGAD], 'BKASH_PAYMENT', ['NAGAD_PAYMENT'])).toBe('none');
  });

  it('without a method and with accounts of several, the customer chooses', () => {
    expect(choose([BKASH, NAGAD])).toBe('open');
  });

  it('without a method and with accounts of one alone, that one is chosen', () => {
    expect(choose([BKASH, BKASH_TOO])).toBe(BKASH.msisdn);
  });

  it('without a method, methods that are not enabled do not count', () => {
    expect(choose([BKASH, NAGAD], undefined, ['NAGAD_PAYMENT'])).toBe(NAGAD.msisdn);
  });

  it('without any account there is none', () => {
    expect(choose([])).toBe('none');
  });

  it('among several accounts the one used longest ago is chosen', () => {
    const used: [string, number][] = [
      [BKASH.id, 8],
      [BKASH_TOO.id, 7],
    ];

    expect(choose([BKASH, BKASH_TOO], 'BKASH_PAYMENT', ALL, used)).toBe(BKASH_TOO.msisdn);
  });

  it('an account that was never used comes before all others', () => {
    expect(choose([BKASH, BKASH_TOO], 'BKASH_PAYMENT', ALL, [[BKASH.id, 1]])).toBe(BKASH_TOO.msisdn);
  });
});
