import { parseAmount, smsParsedV1, smsUnparsedV1 } from '@pay/contracts';
import type { ArrivedSms } from './arrived-sms';
import { factsOf } from './parsing/grammar';
import { announcementOf } from './sms-announcement';

const ingestedAt = new Date('2026-11-21T09:00:02Z');
const message = 'You have received Tk 1,250.50 from 01711000201. Ref TEA-77. ...';
const sms: ArrivedSms = {
  id: '01935003-0000-7000-8000-00000000c001',
  merchantId: '01935001-0000-7000-8000-00000000a001',
  environment: 'LIVE',
  deviceId: '01935004-0000-7000-8000-00000000d001',
  receiverAccountId: null,
  receiverMsisdn: '01700000900',
  receiverIsStated: false,
  simSlot: 2,
  sender: 'bKash',
  message,
  receivedAt: new Date('2026-11-21T09:00:00Z'),
  ingestedAt: new Date('2026-11-21T09:00:01Z'),
  clientMessageId: 'inbox-7',
  authenticity: 'signed',
  reading: {
    status: 'PARSED',
    provider: 'BKASH',
    kind: 'SEND_MONEY_RECEIVED',
    direction: 'IN',
    paymentMethod: 'BKASH_SEND_MONEY',
    amount: 125_050n as never,
    fee: 0n as never,
    balance: null,
    trxId: 'DKL4TEA001',
    reference: 'TEA-77',
    senderMsisdn: '01711000201',
    commission: null,
    recipientMsisdn: null,
    providerTime: new Date('2026-11-21T08:59:00Z'),
    signals: [{ name: 'grammar', detail: 'spacing' }],
  },
  balanceChainId: null,
  reviewsBalanceBreaks: false,
  fingerprints: ['00'],
};

const nothing = { status: 'UNPARSED', signals: [] } as const;

describe('the event of an SMS', () => {
  it('contains the parsed values with amounts and times as text', () => {
    const { type, data } = announcementOf(sms, ingestedAt);

    expect(type).toBe('sms.parsed');
    expect(smsParsedV1.strict().parse(data)).toMatchObject({
      smsEventId: sms.id,
      amount: '1250.5',
      fee: '0',
      balance: null,
      reference: 'TEA-77',
      receiverMsisdn: '01700000900',
      providerTime: '2026-11-21T08:59:00.000Z',
      ingestedAt: '2026-11-21T09:00:02.000Z',
      signals: [{ name: 'grammar', detail: 'spacing' }],
    });
  });

  it('contains the reason when the text was not parsed', () => {
    const unparsed = announcementOf(
      { ...sms, reading: { ...nothing, provider: null, reason: 'untrusted_sender', facts: null } },
      ingestedAt,
    );

    expect(unparsed.type).toBe('sms.unparsed');
    expect(smsUnparsedV1.strict().parse(unparsed.data)).toMatchObject({ provider: null, reason: 'untrusted_sender' });
  });

  it('contains the parsed values of texts that are not evidence, also of other providers', () => {
    const facts = factsOf('CASH_OUT_RECEIVED', 'IN', { amount: parseAmount('3940') ?? null, trxId: '01KAJH4GET' });
    const { type, data } = announcementOf(
      { ...sms, reading: { ...nothing, provider: 'UPAY', reason: 'not_collected', facts } },
      ingestedAt,
    );

    expect(type).toBe('sms.unparsed');
    expect(smsUnparsedV1.strict().parse(data)).toMatchObject({
      provider: null,
      wallet: 'UPAY',
      reason: 'not_collected',
      facts: { kind: 'CASH_OUT_RECEIVED', direction: 'IN', amount: '3940', balance: null, trxId: '01KAJH4GET' },
    });
  });

  it('never contains the text or the number of a person who sent it', () => {
    const published = JSON.stringify(announcementOf({ ...sms, sender: '01711000777' }, ingestedAt));

    expect(published).not.toContain('You have received');
    expect(published).not.toContain('01711000777');
    expect(published).toContain('"sender":"XXXXXXXX777"');
  });
});
