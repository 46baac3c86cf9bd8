import { formatAmount, type SmsFacts, type SmsParsed, type SmsUnparsed } from '@pay/contracts';
import type { ArrivedSms } from './arrived-sms';
import { isCollected, PARSER_VERSION, type Facts } from './parsed-sms';
import { shownSender } from './shown-sender';

export type Announcement =
  | { readonly type: 'sms.parsed'; readonly data: SmsParsed }
  | { readonly type: 'sms.unparsed'; readonly data: SmsUnparsed };

/** The published part of an SMS. */
export type PublishedSms = Omit<
  ArrivedSms,
  'message' | 'receiverIsStated' | 'clientMessageId' | 'fingerprints' | 'balanceChainId' | 'reviewsBalanceBreaks'
>;

/** The event of an SMS. It does not contain the text. */
export function announcementOf(sms: PublishedSms, ingestedAt: Date): Announcement {
  const { reading } = sms;
  const origin = {
    smsEventId: sms.id,
    deviceId: sms.deviceId,
    receiverAccountId: sms.receiverAccountId,
    receiverMsisdn: sms.receiverMsisdn,
    simSlot: sms.simSlot,
    sender: shownSender(sms.sender),
    receivedAt: sms.receivedAt.toISOString(),
    ingestedAt: ingestedAt.toISOString(),
    parserVersion: PARSER_VERSION,
    signals: [...reading.signals],
    authenticity: sms.authenticity,
  };
  if (reading.status === 'UNPARSED') {
    const { provider: wallet, reason, facts } = reading;
    const provider = isCollected(wallet) ? wallet : null;
    return { type: 'sms.unparsed', data: { ...origin, provider, wallet, reason, facts: facts && factsOf(facts) } };
  }
  return {
    type: 'sms.parsed',
    data: {
      ...origin,
      provider: reading.provider,
      kind: reading.kind,
      direction: reading.direction,
      paymentMethod: reading.paymentMethod,
      amount: formatAmount(reading.amount),
      fee: amountOrNull(reading.fee),
      balance: amountOrNull(reading.balance),
      trxId: reading.trxId,
      reference: reading.reference,
      senderMsisdn: reading.senderMsisdn,
      providerTime: reading.providerTime.toISOString(),
    },
  };
}

function factsOf(facts: Facts): SmsFacts {
  return {
    kind: facts.kind,
    direction: facts.direction,
    amount: amountOrNull(facts.amount),
    fee: amountOrNull(facts.fee),
    commission: amountOrNull(facts.commission),
    balance: amountOrNull(facts.balance),
    trxId: facts.trxId,
    reference: facts.reference,
    senderMsisdn: facts.senderMsisdn,
    recipientMsisdn: facts.recipientMsisdn,
    providerTime: facts.providerTime?.toISOString() ?? null,
  };
}

function amountOrNull(amount: bigint | null): string | null {
  return amount === null ? null : formatAmount(amount);
}
