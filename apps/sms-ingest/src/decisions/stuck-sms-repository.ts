import type { Authenticity, Environment, PaymentMethod, Poisha, Provider, SmsSignal } from '@pay/contracts';
import { statement, type Transaction } from '@pay/persistence';
import type { Money } from '../domain/parsed-sms';
import type { PublishedSms } from '../domain/sms-announcement';

// The index `sms_events_undecided` holds nothing else. The wait doubles, so that a decision that never comes costs a
// dozen events in the first day and one in each further day.
const TAKE = statement(
  'take-stuck-sms',
  `update sms_events as event set reannounced_at = clock_timestamp()
   where id = any(array(
     select id from sms_events
     where status = 'PARSED' and coalesce(reannounced_at, ingested_at) <= clock_timestamp()
       - greatest($1 * interval '1 millisecond', least(coalesce(reannounced_at, ingested_at) - ingested_at, interval '1 day'))
     order by ingested_at limit $2 for update skip locked))
   returning id, merchant_id, environment, device_id, receiver_account_id, receiver_msisdn, sim_slot, sender, received_at, ingested_at,
     authenticity, announced_sequence, provider, kind, payment_method, provider_time, parsed_amount, parsed_fee, parsed_commission,
     parsed_balance, parsed_trx_id, parsed_reference, parsed_sender_msisdn, parsed_recipient_msisdn, signals`,
);

interface Row {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly device_id: string;
  readonly receiver_account_id: string | null;
  readonly receiver_msisdn: string | null;
  readonly sim_slot: number | null;
  readonly sender: string;
  readonly received_at: Date;
  readonly ingested_at: Date;
  readonly authenticity: Authenticity | null;
  readonly announced_sequence: number;
  readonly provider: Provider;
  readonly kind: Money['kind'];
  readonly payment_method: PaymentMethod;
  readonly provider_time: Date;
  readonly parsed_amount: string;
  readonly parsed_fee: string | null;
  readonly parsed_commission: string | null;
  readonly parsed_balance: string | null;
  readonly parsed_trx_id: string;
  readonly parsed_reference: string | null;
  readonly parsed_sender_msisdn: string;
  readonly parsed_recipient_msisdn: string | null;
  readonly signals: SmsSignal[] | null;
}

export interface StuckSms {
  readonly sms: PublishedSms;
  readonly sequence: number;
}

/**
 * Evidence without a decision for `waitMs` since it came in or was announced again, oldest first. Notes that it is
 * announced again.
 */
export async function takeStuckSms(tx: Transaction, waitMs: number, limit: number): Promise<StuckSms[]> {
  const rows = await tx.query<Row>(TAKE, [waitMs, limit]);
  return rows.map((row) => ({ sms: toSms(row), sequence: row.announced_sequence }));
}

function toSms(row: Row): PublishedSms {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    environment: row.environment,
    deviceId: row.device_id,
    receiverAccountId: row.receiver_account_id,
    receiverMsisdn: row.receiver_msisdn,
    simSlot: row.sim_slot,
    sender: row.sender,
    receivedAt: row.received_at,
    ingestedAt: row.ingested_at,
    authenticity: row.authenticity,
    reading: {
      status: 'PARSED',
      provider: row.provider,
      kind: row.kind,
      direction: 'IN',
      paymentMethod: row.payment_method,
      providerTime: row.provider_time,
      amount: BigInt(row.parsed_amount) as Poisha,
      fee: poisha(row.parsed_fee),
      commission: poisha(row.parsed_commission),
      balance: poisha(row.parsed_balance),
      trxId: row.parsed_trx_id,
      reference: row.parsed_reference,
      senderMsisdn: row.parsed_sender_msisdn,
      recipientMsisdn: row.parsed_recipient_msisdn,
      signals: row.signals ?? [],
    },
  };
}

function poisha(column: string | null): Poisha | null {
  return column === null ? null : (BigInt(column) as Poisha);
}
