import { resolveReceiver, type Arrival } from './resolve-receiver';

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

function resolved(
  arrival: Partial<Arrival>,
  device: Parameters<typeof resolveReceiver>[0] = dualSim,
): string | undefined {
  return resolveReceiver(device, accounts, {
    simSlot: null,
    receiverMsisdn: null,
    provider: 'BKASH',
    paymentMethod: 'BKASH_SEND_MONEY',
    ...arrival,
  })?.id;
}

describe('the receiver account of a text', () => {
  it.each<[string, Partial<Arrival>, string | undefined]>([
    ['the slot leaves one wallet of the method', { simSlot: 1 }, 'bkash'],
    ['the other slot leaves the other one', { simSlot: 2 }, 'second'],
    ['without a slot both wallets of the method are possible', {}, undefined],
    ['the number tells them apart', { receiverMsisdn: '01900000902' }, 'second'],
    ['the number may be written abroad', { receiverMsisdn: '+880 1700-000900' }, 'bkash'],
    ['the number may be in Bangla digits', { receiverMsisdn: '০১৭০০০০০৯০০' }, 'bkash'],
    ['an empty number is none', { simSlot: 1, receiverMsisdn: ' ' }, 'bkash'],
    ['slot and number contradict each other', { simSlot: 1, receiverMsisdn: '01900000902' }, undefined],
    ['the number is nobody’s', { receiverMsisdn: '01311111111' }, undefined],
    ['the number cannot be read', { receiverMsisdn: 'SIM1' }, undefined],
    ['a slot without wallets', { simSlot: 3 }, undefined],
    ['no wallet of the method on the slot', { simSlot: 2, paymentMethod: 'NAGAD_SEND_MONEY' }, undefined],
    ['a text not understood, but one wallet of its provider', { simSlot: 2, paymentMethod: null }, 'second'],
    ['a text not understood, and two wallets of its provider', { simSlot: 1, paymentMethod: null }, undefined],
    ['a stranger’s text, and one wallet on the slot', { simSlot: 2, paymentMethod: null, provider: null }, 'second'],
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

  it('is unknown for a device without SIMs, and for an account nobody knows', () => {
    expect(resolved({}, { sims: [] })).toBeUndefined();
    expect(resolved({}, { sims: [{ simSlot: 1, receiverAccountIds: ['deleted'] }] })).toBeUndefined();
  });
});
