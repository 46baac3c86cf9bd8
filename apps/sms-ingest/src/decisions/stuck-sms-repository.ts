import type { Poisha, Provider, SmsSignal } from '@pay/contracts';
import { inTransaction } from '@pay/persistence';
import type { Money, Parsed } from '../domain/parsed-sms';
import type { PublishedSms } from '../domain/sms-announcement';

type Sums = 'amount' | 'fee' | 'commission' | 'balance';
type Row = Omit<PublishedSms, 'reading'> &
  Omit<Money, Sums | 'direction'> &
  Readonly<Record<Exclude<Sums, 'amount'>, string | null>> & {
    readonly amount: string;
    readonly provider: Provider;
    readonly signals: SmsSignal[] | null;
    readonly sequence: number;
  };

export interface StuckSms {
  readonly sms: PublishedSms;
  readonly sequence: number;
}

/**
 * Evidence without a decision for `waitMs` since it arrived or was published again, oldest first. Records the repeated
 * publication.
 */
export const takeStuckSms = inTransaction.mapped(toStuckSms).rows<[waitMs: number, limit: number]>(
  'take-stuck-sms',
  // The index `sms_events_undecided` contains only these rows. The wait doubles, so that a missing decision causes a
  // dozen events on the first day and one per further day.
  `update sms_events as event set reannounced_at = clock_timestamp()
   where id = any(array(
     select id from sms_events
     where status = 'PARSED' and coalesce(reannounced_at, ingested_at) <= clock_timestamp()
       - greatest($1 * interval '1 millisecond', least(coalesce(reannounced_at, ingested_at) - ingested_at, interval '1 day'))
     order by ingested_at limit $2 for update skip locked))
   returning id, merchant_id as "merchantId", environment, device_id as "deviceId", receiver_account_id as "receiverAccountId",
     receiver_msisdn as "receiverMsisdn", sim_slot as "simSlot", sender, received_at as "receivedAt", ingested_at as "ingestedAt",
     authenticity, announced_sequence as sequence, provider, kind, payment_method as "paymentMethod", provider_time as "providerTime",
     parsed_amount as amount, parsed_fee as fee, parsed_commission as commission, parsed_balance as balance, parsed_trx_id as "trxId",
     parsed_reference as reference, parsed_sender_msisdn as "senderMsisdn", parsed_recipient_msisdn as "recipientMsisdn", signals`,
);

function toStuckSms({
  sequence,
  provider,
  kind,
  paymentMethod,
  providerTime,
  trxId,
  reference,
  ...row
}: Row): StuckSms {
  const { amount, fee, commission, balance, senderMsisdn, recipientMsisdn, signals, ...arrived } = row;
  const reading: Parsed = {
    status: 'PARSED',
    provider,
    kind,
    direction: 'IN',
    paymentMethod,
    providerTime,
    signals: signals ?? [],
    amount: BigInt(amount) as Poisha,
    fee: poisha(fee),
    commission: poisha(commission),
    balance: poisha(balance),
    trxId,
    reference,
    senderMsisdn,
    recipientMsisdn,
  };
  return { sms: { ...arrived, reading }, sequence };
}

function poisha(column: string | null): Poisha | null {
  return column === null ? null : (BigInt(column) as Poisha);
}
