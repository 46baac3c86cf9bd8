import { SIMULATOR_DEVICE_ID } from '@pay/contracts';
import { repeatKeys, type RepeatFacts } from './repeat-keys';

const sms: RepeatFacts = {
  merchantId: 'merchant',
  environment: 'LIVE',
  deviceId: 'phone',
  receiverAccountId: 'account',
  sender: 'NAGAD',
  message: 'Money Received.\nAmount: Tk 22.00\nTxnID: 76TEA001',
  receivedAt: new Date('2026-11-21T09:00:00Z'),
  clientMessageId: null,
};
const withoutTrxId = { ...sms, message: 'Eid Mubarak from Nagad' };

function isRepeat(one: RepeatFacts, change: Partial<RepeatFacts>): boolean {
  const keys = repeatKeys(one);
  return repeatKeys({ ...one, ...change }).some((key) => keys.includes(key));
}

describe('a text with a TrxID', () => {
  it.each<[string, Partial<RepeatFacts>]>([
    ['another phone of the merchant', { deviceId: 'second phone' }],
    ['another time', { receivedAt: new Date('2026-11-22T09:00:00Z') }],
    ['a client message id', { clientMessageId: 'inbox-7' }],
    ['spaces for line breaks', { message: 'Money Received. Amount: Tk 22.00 TxnID: 76TEA001' }],
    ['lost line breaks', { message: 'Money Received.Amount: Tk 22.00TxnID: 76TEA001' }],
    ['the sender in another case', { sender: 'Nagad' }],
  ])('is a repeat with %s', (_what, change) => {
    expect(isRepeat(sms, change)).toBe(true);
  });

  it('is a repeat from another phone if neither phone has an assigned wallet', () => {
    const unassigned = { ...sms, receiverAccountId: null };
    expect(isRepeat(unassigned, { receivedAt: new Date(0), deviceId: 'second phone' })).toBe(true);
  });

  it.each<[string, Partial<RepeatFacts>]>([
    ['another merchant', { merchantId: 'other' }],
    ['the other environment', { environment: 'SANDBOX' }],
    ['another receiver account', { receiverAccountId: 'other' }],
    ['another sender', { sender: '01711000201' }],
    ['another TrxID', { message: sms.message.replace('76TEA001', '76TEA002') }],
    ['another amount', { message: sms.message.replace('22.00', '23.00') }],
  ])('is a new message with %s', (_what, change) => {
    expect(isRepeat(sms, change)).toBe(false);
  });

  it('is two payments when two of one second differ in nothing but their TrxIDs', () => {
    const [one, two] = [sms, { ...sms, message: sms.message.replace('76TEA001', '76TEA002') }];
    expect(isRepeat(one, two)).toBe(false);
  });

  it('is a repeat from an inbox export: another phone, another id, another time, line breaks lost', () => {
    const exported = { deviceId: 'second phone', clientMessageId: 'export-1', receivedAt: new Date(0) };
    const first = { ...sms, clientMessageId: 'live-9' };
    expect(isRepeat(first, { ...exported, message: sms.message.replaceAll('\n', '') })).toBe(true);
  });

  it('is new when a forwarder that counts from the start again gives its id to another text', () => {
    const counted = { ...sms, clientMessageId: '1' };
    expect(isRepeat(counted, { message: sms.message.replace('76TEA001', '76TEA002') })).toBe(false);
  });
});

describe('a text without a TrxID', () => {
  it('is a repeat when the same phone received it at the same time', () => {
    expect(isRepeat(withoutTrxId, { message: ' Eid  Mubarak from Nagad\n', sender: 'other' })).toBe(true);
  });

  it.each<[string, Partial<RepeatFacts>]>([
    ['another phone', { deviceId: 'second phone' }],
    ['another time', { receivedAt: new Date('2026-11-21T09:00:00.001Z') }],
    ['another text', { message: 'Eid Mubarak from Nagad!' }],
  ])('is a new message with %s', (_what, change) => {
    expect(isRepeat(withoutTrxId, change)).toBe(false);
  });

  it('is a repeat at the simulator, which all merchants share, only within a merchant', () => {
    const simulated = { ...withoutTrxId, deviceId: SIMULATOR_DEVICE_ID };
    expect(isRepeat(simulated, {})).toBe(true);
    expect(isRepeat(simulated, { merchantId: 'other' })).toBe(false);
  });

  it('of a phone has the keys of stored fingerprints, which never change', () => {
    expect(repeatKeys({ ...withoutTrxId, clientMessageId: '7' })).toEqual([
      '["client","phone","7","EidMubarakfromNagad"]',
      '["time","phone","2026-11-21T09:00:00.000Z","EidMubarakfromNagad"]',
    ]);
  });
});

describe('a client message id', () => {
  it.each([sms, withoutTrxId])('makes the same text from the same phone a repeat, whenever it came', (text) => {
    expect(isRepeat({ ...text, clientMessageId: '7' }, { receivedAt: new Date(0), receiverAccountId: null })).toBe(
      true,
    );
  });

  it('makes no repeat of another text or of another phone’s message', () => {
    const counted = { ...withoutTrxId, clientMessageId: '7' };
    expect(isRepeat(counted, { message: 'Pohela Boishakh' })).toBe(false);
    expect(isRepeat(counted, { deviceId: 'second phone' })).toBe(false);
  });
});
