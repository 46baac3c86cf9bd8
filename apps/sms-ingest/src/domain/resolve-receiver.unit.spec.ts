import { resolveReceiver, type Arrival, type ReadValues } from './resolve-receiver';

const bkash = { id: 'bkash', paymentMethod: 'BKASH_SEND_MONEY', msisdn: '01700000900' } as const;
const nagad = { id: 'nagad', paymentMethod: 'NAGAD_SEND_MONEY', msisdn: '01700000900' } as const;
const agent = { id: 'agent', paymentMethod: 'BKASH_CASHOUT', msisdn: '01800000901' } as const;
const secondBkash = { id: 'second', paymentMethod: 'BKASH_SEND_MONEY', msisdn: '01900000902' } as const;
const accounts = [bkash, nagad, agent, secondBkash];

const dualSim = {
  sims: [
    { simSlot: 1, receiverAccountIds: ['bkash', 'nagad', 'agent'] },
    { simSlot: 2, receiverAccountIds: ['second'] },
  ],
};

const SENT_WITH_REFERENCE: ReadValues = {
  kind: 'SEND_MONEY_RECEIVED',
  paymentMethod: 'BKASH_SEND_MONEY',
  reference: 'TEA-77',
};
const sent = (values: Partial<ReadValues>): ReadValues => ({ ...SENT_WITH_REFERENCE, ...values });
const other = (kind: ReadValues['kind']): ReadValues => ({ kind, paymentMethod: null, reference: null });

/** The account's id, or the doubt. */
function resolved(arrival: Partial<Arrival>, device: Parameters<typeof resolveReceiver>[0] = dualSim): string {
  const { account, doubt } = resolveReceiver(device, accounts, {
    simSlot: null,
    receiverMsisdn: null,
    provider: 'BKASH',
    reading: SENT_WITH_REFERENCE,
    ...arrival,
  });
  return account?.id ?? doubt ?? '';
}

describe('the receiver account of a text', () => {
  it.each<[string, Partial<Arrival>, string]>([
    ['the slot leaves one wallet of the method', { simSlot: 1 }, 'bkash'],
    ['the other slot leaves the other one', { simSlot: 2 }, 'second'],
    ['without a slot both wallets of the method are possible', {}, 'ambiguous_receiver'],
    ['the number distinguishes them', { receiverMsisdn: '01900000902' }, 'second'],
    ['the number may be written abroad', { receiverMsisdn: '+880 1700-000900' }, 'bkash'],
    ['the number may be in Bangla digits', { receiverMsisdn: '০১৭০০০০০৯০০' }, 'bkash'],
    ['an empty number is none', { simSlot: 1, receiverMsisdn: ' ' }, 'bkash'],
    ['slot and number contradict each other', { simSlot: 1, receiverMsisdn: '01900000902' }, 'unknown_receiver'],
    ['the number belongs to no account', { receiverMsisdn: '01311111111' }, 'unknown_receiver'],
    ['a number that cannot be read is none', { simSlot: 1, receiverMsisdn: 'Unknown' }, 'bkash'],
    ['a slot without wallets', { simSlot: 3 }, 'unknown_receiver'],
    ['no wallet of the provider on the slot', { simSlot: 2, provider: 'NAGAD' }, 'unknown_receiver'],
    [
      'only wallets that never get such a text',
      { simSlot: 2, reading: sent({ kind: 'PAYMENT_RECEIVED', paymentMethod: 'BKASH_PAYMENT' }) },
      'wrong_account_type',
    ],
    [
      'words that may tell an agent of float, and a personal wallet beside it',
      { simSlot: 1, reading: sent({ reference: null }) },
      'ambiguous_receiver',
    ],
    [
      'the same words, and the number of the personal wallet',
      { receiverMsisdn: '01700000900', reading: sent({ reference: null }) },
      'bkash',
    ],
    [
      'the same words, and the number of the agent’s wallet',
      { receiverMsisdn: '01800000901', reading: sent({ reference: null }) },
      'agent_float',
    ],
    [
      'a reference, which float has none of, at an agent’s wallet',
      { receiverMsisdn: '01800000901' },
      'wrong_account_type',
    ],
    ['a text not understood, but one wallet of its provider', { simSlot: 2, reading: null }, 'second'],
    ['a text not understood, and two wallets of its provider', { simSlot: 1, reading: null }, 'ambiguous_receiver'],
    ['cash that an agent gave, and one agent’s wallet', { simSlot: 1, reading: other('CASH_IN_GIVEN') }, 'agent'],
    ['money that was sent, and one personal wallet', { simSlot: 1, reading: other('SEND_MONEY_SENT') }, 'bkash'],
    ['a one-time password, and two wallets', { simSlot: 1, reading: other('OTP') }, 'ambiguous_receiver'],
    [
      'a text of an unknown sender, and one wallet on the slot',
      { simSlot: 2, reading: null, provider: null },
      'second',
    ],
    [
      'a text of a provider whose money is not collected',
      { simSlot: 2, reading: null, provider: 'UPAY' },
      'unknown_receiver',
    ],
  ])('%s', (_case, arrival, account) => {
    expect(resolved(arrival)).toBe(account);
  });

  it('fits any slot when the device names none for it', () => {
    const device = { sims: [{ simSlot: null, receiverAccountIds: ['second'] }] };
    expect(resolved({ simSlot: 2 }, device)).toBe('second');
    expect(resolved({}, device)).toBe('second');
  });

  it('is counted once when two slots name it', () => {
    const device = { sims: [1, 2].map((simSlot) => ({ simSlot, receiverAccountIds: ['bkash'] })) };
    expect(resolved({}, device)).toBe('bkash');
  });

  it('is unknown for a device without SIMs and for an unknown account', () => {
    expect(resolved({}, { sims: [] })).toBe('unknown_receiver');
    expect(resolved({}, { sims: [{ simSlot: 1, receiverAccountIds: ['deleted'] }] })).toBe('unknown_receiver');
  });
});
