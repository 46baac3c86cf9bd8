import {
  formatAmount,
  type Authenticity,
  type Environment,
  type MatchStatus,
  type PaymentMethod,
  type SmsDirection,
  type SmsEventFacts,
  type SmsEventSummary,
  type SmsSignal,
  type SmsStatus,
} from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';

/** What a list shows of an SMS. */
export const SUMMARY_COLUMNS = `event.id, event.environment, event.device_id, event.receiver_account_id, event.receiver_msisdn, event.sender,
  event.provider, event.kind, event.direction, event.payment_method, event.parsed_amount, event.parsed_trx_id, event.parsed_reference,
  event.parsed_sender_msisdn, event.received_at, event.ingested_at, event.status, event.match_status, event.payment_intent_id,
  event.failure_reason`;

export interface SummaryRow {
  readonly id: string;
  readonly environment: Environment;
  readonly device_id: string;
  readonly receiver_account_id: string | null;
  readonly receiver_msisdn: string | null;
  readonly sender: string;
  readonly provider: string | null;
  readonly kind: string | null;
  readonly direction: SmsDirection | null;
  readonly payment_method: PaymentMethod | null;
  readonly parsed_amount: string | null;
  readonly parsed_trx_id: string | null;
  readonly parsed_reference: string | null;
  readonly parsed_sender_msisdn: string | null;
  readonly received_at: Date;
  readonly ingested_at: Date;
  readonly status: SmsStatus;
  readonly match_status: MatchStatus | null;
  readonly payment_intent_id: string | null;
  readonly failure_reason: string | null;
}

export function summaryOf(row: SummaryRow): SmsEventSummary {
  return {
    ...{ id: row.id, environment: row.environment, deviceId: row.device_id, sender: row.sender },
    ...{ receiverAccountId: row.receiver_account_id, receiverMsisdn: row.receiver_msisdn },
    ...{ provider: row.provider, kind: row.kind, direction: row.direction, paymentMethod: row.payment_method },
    ...{ amount: amountOf(row.parsed_amount), trxId: row.parsed_trx_id, reference: row.parsed_reference },
    senderMsisdn: row.parsed_sender_msisdn,
    ...{ receivedAt: row.received_at.toISOString(), ingestedAt: row.ingested_at.toISOString(), status: row.status },
    ...{ matchStatus: row.match_status, paymentIntentId: row.payment_intent_id, failureReason: row.failure_reason },
  };
}

function amountOf(poisha: string | null): string | null {
  return poisha === null ? null : formatAmount(BigInt(poisha));
}

const FIND = statement(
  'find-sms-event',
  `select ${SUMMARY_COLUMNS}, event.parsed_fee, event.parsed_commission, event.parsed_balance, event.parsed_recipient_msisdn,
     event.provider_time, event.sim_slot, event.parser_version, event.authenticity, event.signals, event.reported_at, event.message,
     event.sealed_text
   from sms_events event where event.id = $1 and event.merchant_id = $2`,
);

interface FactsRow extends SummaryRow {
  readonly parsed_fee: string | null;
  readonly parsed_commission: string | null;
  readonly parsed_balance: string | null;
  readonly parsed_recipient_msisdn: string | null;
  readonly provider_time: Date | null;
  readonly sim_slot: number | null;
  readonly parser_version: string;
  readonly authenticity: Authenticity | null;
  readonly signals: readonly SmsSignal[] | null;
  readonly reported_at: Date | null;
  readonly message: string | null;
  readonly sealed_text: string | null;
}

export interface StoredSms {
  readonly facts: SmsEventFacts;
  readonly sealedText: string | null;
  /** As a process of the version before has left it. */
  readonly plainText: string | null;
}

/** An SMS of a merchant in either environment, with its text as it is stored. */
export async function findSmsEvent(db: Queryable, merchantId: string, id: string): Promise<StoredSms | undefined> {
  const [row] = await db.query<FactsRow>(FIND, [id, merchantId]);
  if (row === undefined) return undefined;
  const facts: SmsEventFacts = {
    ...summaryOf(row),
    ...{ fee: amountOf(row.parsed_fee), commission: amountOf(row.parsed_commission) },
    ...{ balance: amountOf(row.parsed_balance), recipientMsisdn: row.parsed_recipient_msisdn },
    ...{ providerTime: row.provider_time?.toISOString() ?? null, simSlot: row.sim_slot },
    ...{ parserVersion: row.parser_version, authenticity: row.authenticity, signals: [...(row.signals ?? [])] },
    ...{ hasText: (row.message ?? row.sealed_text) !== null, reportedAt: row.reported_at?.toISOString() ?? null },
  };
  return { facts, sealedText: row.sealed_text, plainText: row.message };
}

const REPORT = statement(
  'report-sms-event',
  'update sms_events set reported_at = coalesce(reported_at, $3) where id = $1 and merchant_id = $2 returning id',
);

/** Notes the first report; whether the merchant has the SMS. */
export async function reportSmsEvent(db: Queryable, merchantId: string, id: string, at: Date): Promise<boolean> {
  return (await db.query(REPORT, [id, merchantId, at])).length > 0;
}

const REPORTED = statement(
  'reported-sms-events',
  `select id, merchant_id as "merchantId", environment, provider, kind, failure_reason as "failureReason",
     parser_version as "parserVersion", reported_at as "reportedAt", message, sealed_text as "sealedText"
   from sms_events where reported_at >= $1 order by reported_at desc, id desc limit $2`,
);

export interface ReportedSms {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly provider: string | null;
  readonly kind: string | null;
  readonly failureReason: string | null;
  readonly parserVersion: string;
  readonly reportedAt: Date;
  readonly message: string | null;
  readonly sealedText: string | null;
}

/** The newest reports of all merchants. */
export async function reportedSmsEvents(db: Queryable, since: Date, limit: number): Promise<ReportedSms[]> {
  return db.query<ReportedSms>(REPORTED, [since, limit]);
}
