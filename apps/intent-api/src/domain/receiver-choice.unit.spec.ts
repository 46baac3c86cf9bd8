import { amountFromWire, type PaymentMethod, type ReceiverAccountFact, type ReceiverLimits } from '@pay/contracts';
import { chooseReceiver, type ReceiverState, type ReceivedTotals } from './receiver-choice';

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
  receivers: Partial<ReceiverState> = {},
) {
  const choice = chooseReceiver({
    method,
    amount: amountFromWire('500'),
    enabledMethods,
    accounts,
    receivers: { online: undefined, totals: new Map(), ...receivers },
    lastUsed: new Map(used),
  });
  return choice.kind === 'chosen' ? choice.account.msisdn : choice.kind;
}

describe('choice of a receiver', () => {
  it('is an active account of a fixed method', () => {
    expect(choose([BKASH, NAGAD], 'NAGAD_PAYMENT')).toBe(NAGAD.msisdn);
  });

  it('is none if the only account of a fixed method is switched off', () => {
    expect(choose([account(1, 'BKASH_PAYMENT', false), NAGAD], 'BKASH_PAYMENT')).toBe('none');
  });

  it('is none if the merchant has not enabled the fixed method', () => {
    expect(choose([BKASH, NAGAD], 'BKASH_PAYMENT', ['NAGAD_PAYMENT'])).toBe('none');
  });

  it('is left to the customer if no method is fixed and several have accounts', () => {
    expect(choose([BKASH, NAGAD])).toBe('open');
  });

  it('is the only method with accounts if no method is fixed', () => {
    expect(choose([BKASH, BKASH_TOO])).toBe(BKASH.msisdn);
  });

  it('ignores methods that are not enabled', () => {
    expect(choose([BKASH, NAGAD], undefined, ['NAGAD_PAYMENT'])).toBe(NAGAD.msisdn);
  });

  it('is none without any account', () => {
    expect(choose([])).toBe('none');
  });

  it('is the least recently used account of several', () => {
    const used: [string, number][] = [
      [BKASH.id, 8],
      [BKASH_TOO.id, 7],
    ];

    expect(choose([BKASH, BKASH_TOO], 'BKASH_PAYMENT', ALL, used)).toBe(BKASH_TOO.msisdn);
  });

  it('prefers an account that was never used', () => {
    expect(choose([BKASH, BKASH_TOO], 'BKASH_PAYMENT', ALL, [[BKASH.id, 1]])).toBe(BKASH_TOO.msisdn);
  });
});

describe('receivers whose phone is online', () => {
  const used: [string, number][] = [
    [BKASH.id, 1],
    [BKASH_TOO.id, 2],
  ];
  const chooseOnline = (...online: string[]) =>
    choose([BKASH, BKASH_TOO], 'BKASH_PAYMENT', ALL, used, { online: new Set(online) });

  it('are preferred to an offline one that was used longer ago', () => {
    expect(chooseOnline(BKASH_TOO.id)).toBe(BKASH_TOO.msisdn);
  });

  it('are chosen in the order of their last use', () => {
    expect(chooseOnline(BKASH_TOO.id, BKASH.id)).toBe(BKASH.msisdn);
  });

  it('are not required: if no phone is online, the least recently used receiver is chosen', () => {
    expect(chooseOnline()).toBe(BKASH.msisdn);
  });

  it('do not remove other methods: the customer still chooses', () => {
    expect(choose([BKASH, NAGAD], undefined, ALL, [], { online: new Set([NAGAD.id]) })).toBe('open');
  });
});

describe('limits of receivers', () => {
  const limited = (limits: Partial<ReceiverLimits>): ReceiverAccountFact => ({
    ...BKASH,
    limits: { dailyAmount: null, monthlyAmount: null, dailyCount: null, ...limits },
  });
  const totals = (ofDay: string, ofMonth: string, paymentsOfDay: number): [string, ReceivedTotals][] => [
    [BKASH.id, { ofDay: amountFromWire(ofDay), ofMonth: amountFromWire(ofMonth), paymentsOfDay }],
  ];
  const chooseWithin = (
    limits: Partial<ReceiverLimits>,
    sums: [string, ReceivedTotals][],
    others: ReceiverAccountFact[] = [],
  ) => choose([limited(limits), ...others], undefined, ALL, [], { totals: new Map(sums) });

  it.each<[string, Partial<ReceiverLimits>, [string, ReceivedTotals][], boolean]>([
    ['a day without payments and an amount of exactly the limit', { dailyAmount: '500' }, [], true],
    ['an amount above the limit of a day', { dailyAmount: '499.99' }, [], false],
    ['a day that has just room', { dailyAmount: '1000' }, totals('500', '9000', 3), true],
    ['a day that has a poisha too little room', { dailyAmount: '1000' }, totals('500.01', '9000', 3), false],
    ['a month that has just room', { monthlyAmount: '9500' }, totals('0', '9000', 0), true],
    ['a month without room', { monthlyAmount: '9499' }, totals('0', '9000', 0), false],
    ['one payment left in the day', { dailyCount: 3 }, totals('1', '1', 2), true],
    ['no payment left in the day', { dailyCount: 3 }, totals('1', '1', 3), false],
    ['no limits at all', {}, totals('9999999', '9999999', 999), true],
  ])('%s', (_case, limits, sums, isChosen) => {
    expect(chooseWithin(limits, sums)).toBe(isChosen ? BKASH.msisdn : 'limits_reached');
  });

  it('an account above its limit is skipped while another fits', () => {
    expect(chooseWithin({ dailyAmount: '1' }, [], [BKASH_TOO])).toBe(BKASH_TOO.msisdn);
  });

  it('a method whose accounts are all above their limits is not offered', () => {
    expect(chooseWithin({ dailyAmount: '1' }, [], [NAGAD])).toBe(NAGAD.msisdn);
  });

  it('an offline account below its limit is preferred to an online one above its limit', () => {
    const receivers = { online: new Set([BKASH.id]) };
    expect(choose([limited({ dailyAmount: '1' }), BKASH_TOO], undefined, ALL, [], receivers)).toBe(BKASH_TOO.msisdn);
  });
});
