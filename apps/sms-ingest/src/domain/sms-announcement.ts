import { formatAmount, type SmsParsed, type SmsUnparsed } from '@pay/contracts';
import type { ArrivedSms } from './arrived-sms';
import { PARSER_VERSION } from './parsed-sms';

export type Announcement =
  | { readonly type: 'sms.parsed'; readonly data: SmsParsed }
  | { readonly type: 'sms.unparsed'; readonly data: SmsUnparsed };

/** What the world is told of an SMS. The text stays here. */
export function announcementOf(sms: ArrivedSms, ingestedAt: Date): Announcement {
  const { reading } = sms;
  const origin = {
    smsEventId: sms.id,
    deviceId: sms.deviceId,
    receiverAccountId: sms.receiverAccountId,
    receiverMsisdn: sms.receiverMsisdn,
    simSlot: sms.simSlot,
    sender: sms.sender,
    receivedAt: sms.receivedAt.toISOString(),
    ingestedAt: ingestedAt.toISOString(),
    parserVersion: PARSER_VERSION,
    provider: reading.provider,
  };
  if (reading.status === 'UNPARSED') return { type: 'sms.unparsed', data: { ...origin, reason: reading.reason } };
  return {
    type: 'sms.parsed',
    data: {
      ...origin,
      provider: reading.provider,
      kind: reading.kind,
      direction: reading.direction,
      paymentMethod: reading.paymentMethod,
      amount: formatAmount(reading.amount),
      fee: reading.fee === null ? null : formatAmount(reading.fee),
      balance: reading.balance === null ? null : formatAmount(reading.balance),
      trxId: reading.trxId,
      reference: reading.reference,
      senderMsisdn: reading.senderMsisdn,
      providerTime: reading.providerTime.toISOString(),
    },
  };
}
