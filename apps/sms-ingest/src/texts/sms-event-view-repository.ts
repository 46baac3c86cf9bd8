import {
  formatAmount,
  type Authenticity,
  type Environment,
  type InternalSmsSummary,
  type SmsEventFacts,
  type SmsSignal,
} from '@pay/contracts';
import { mapped, rows, statement, type Queryable } from '@pay/persistence';

/** The list values of an SMS. */
export const SUMMARY_COLUMNS = `event.id, event.environment, event.device_id as "deviceId", event.receiver_account_id as "receiverAccountId",
  event.receiver_msisdn as "receiverMsisdn", event.sender, event.provider, event.kind, event.direction, event.payment_method as "paymentMethod",
  event.parsed_amount as amount, event.parsed_trx_id as "trxId", event.parsed_reference as reference,
  event.parsed_sender_msisdn as "senderMsisdn", event.received_at as "receivedAt", event.ingested_at as "ingestedAt", event.status,
  event.match_status as "matchStatus", event.payment_intent_id as "paymentIntentId", event.failure_reason as "failureReason"`;

export type SummaryRow = Omit<InternalSmsSummary, 'receivedAt' | 'ingestedAt'> & {
  readonly receivedAt: Date;
  readonly ingestedAt: Date;
};

export function summaryOf<Row extends SummaryRow>({ amount, receivedAt, ingestedAt, ...rest }: Row) {
  const times = { receivedAt: receivedAt.toISOString(), ingestedAt: ingestedAt.toISOString() };
  return { ...rest, ...times, amount: amountOf(amount) };
}

function amountOf(poisha: string | null): string | null {
  return poisha === null ? null : formatAmount(BigInt(poisha));
}

interface FactsRow extends SummaryRow {
  readonly fee: string | null;
  readonly commission: string | null;
  readonly balance: string | null;
  readonly recipientMsisdn: string | null;
  readonly providerTime: Date | null;
  readonly simSlot: number | null;
  readonly parserVersion: string;
  readonly authenticity: Authenticity | null;
  readonly signals: SmsSignal[] | null;
  readonly reportedAt: Date | null;
  readonly sealedText: string | null;
}

export interface StoredSms {
  readonly facts: SmsEventFacts;
  readonly sealedText: string | null;
}

/** An SMS of a merchant in either environment, with its text as it is stored. */
export const findSmsEvent = mapped(toStoredSms).firstRow(
  'find-sms-event',
  `select ${SUMMARY_COLUMNS}, event.parsed_fee as fee, event.parsed_commission as commission, event.parsed_balance as balance,
     event.parsed_recipient_msisdn as "recipientMsisdn", event.provider_time as "providerTime", event.sim_slot as "simSlot",
     event.parser_version as "parserVersion", event.authenticity, event.signals, event.reported_at as "reportedAt",
     event.sealed_text as "sealedText"
   from sms_events event where event.id = $1 and event.merchant_id = $2`,
  (merchantId: string, id: string) => [id, merchantId],
);

function toStoredSms({ sealedText, ...read }: FactsRow): StoredSms {
  const facts: SmsEventFacts = {
    ...summaryOf(read),
    fee: amountOf(read.fee),
    commission: amountOf(read.commission),
    balance: amountOf(read.balance),
    providerTime: read.providerTime?.toISOString() ?? null,
    signals: read.signals ?? [],
    hasText: sealedText !== null,
    reportedAt: read.reportedAt?.toISOString() ?? null,
  };
  return { facts, sealedText };
}

const REPORT = statement(
  'report-sms-event',
  'update sms_events set reported_at = coalesce(reported_at, $3) where id = $1 and merchant_id = $2 returning id',
);

/** Notes the first report; whether the merchant has the SMS. */
export async function reportSmsEvent(db: Queryable, merchantId: string, id: string, at: Date): Promise<boolean> {
  return (await db.query(REPORT, [id, merchantId, at])).length > 0;
}

export interface ReportedSms {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly provider: string | null;
  readonly kind: string | null;
  readonly failureReason: string | null;
  readonly parserVersion: string;
  readonly reportedAt: Date;
  readonly sealedText: string | null;
}

/** The newest reports of all merchants. */
export const reportedSmsEvents = rows<ReportedSms, [since: Date, limit: number]>(
  'reported-sms-events',
  `select id, merchant_id as "merchantId", environment, provider, kind, failure_reason as "failureReason",
     parser_version as "parserVersion", reported_at as "reportedAt", sealed_text as "sealedText"
   from sms_events where reported_at >= $1 order by reported_at desc, id desc limit $2`,
);
