import type {
  Authenticity,
  Checks,
  IntentStatus,
  MatchPath,
  MatchStatus,
  PaymentMethod,
  Provider,
  SmsSignal,
} from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';
import type { Candidate } from '../domain/decide-evidence';
import type { TenantRow } from '../db/tenant-row';

/** A match, or a dispute, with what it is about, as people look at it. */
export interface ExceptionRow extends TenantRow {
  readonly id: string;
  readonly status: MatchStatus;
  readonly reason: string;
  /** Kind of the exception; null if nobody needs to review the match. */
  readonly exception: string | null;
  readonly path: MatchPath | null;
  readonly checks: Checks | null;
  readonly doubts: readonly string[];
  readonly paid_in_time: boolean | null;
  readonly expected_amount: string | null;
  readonly received_amount: string | null;
  readonly sms_event_id: string;
  readonly payment_intent_id: string | null;
  readonly intent_status: IntentStatus | null;
  readonly candidates: readonly Candidate[];
  readonly assignee_id: string | null;
  readonly decided_by: string;
  readonly resolution_note: string | null;
  readonly created_at: Date;
  readonly resolved_at: Date | null;
  readonly provider: Provider | null;
  readonly method: PaymentMethod;
  readonly trx_id: string;
  readonly reference_key: string | null;
  readonly receiver_account_id: string | null;
  readonly receiver_msisdn: string | null;
  readonly payer_msisdn: string | null;
  readonly provider_time: Date;
  readonly ingested_at: Date;
  readonly authenticity: Authenticity | null;
  readonly signals: readonly SmsSignal[];
  /** Null for a match. */
  readonly dispute: DisputeFacts | null;
}

/** The two claims of a disputed TrxID; times as Postgres writes them in JSON. */
export interface DisputeFacts {
  readonly submittedAt: string;
  readonly paidIntentId: string;
  readonly paidSubmittedAt: string | null;
}

const SELECT = `select m.id, m.merchant_id, m.environment, m.status, m.reason, exception_of(m.status, m.reason) as exception, m.path,
    m.checks, m.doubts, m.paid_in_time, m.expected_amount, m.received_amount, m.sms_event_id, m.payment_intent_id,
    i.status as intent_status, m.candidates, m.assignee_id, m.decided_by, m.resolution_note, m.created_at, m.resolved_at,
    e.provider, e.method, e.trx_id, e.reference_key, e.receiver_account_id, e.receiver_msisdn, e.payer_msisdn,
    e.provider_time, e.ingested_at, e.authenticity, e.signals, null::jsonb as dispute
  from matches m
  left join evidence e on e.sms_event_id = m.sms_event_id
  left join intents i on i.id = m.payment_intent_id`;

/**
 * In the shape of a match: DUPLICATE while it is open, as a claim of a used TrxID is, and REJECTED once a person has
 * closed it.
 */
const SELECT_DISPUTE = `select d.id, d.merchant_id, d.environment, case when d.closed_at is null then 'DUPLICATE' else 'REJECTED' end as status,
    d.reason, d.queue as exception, 'TRX_ID' as path, null::jsonb as checks, '[]'::jsonb as doubts, null::boolean as paid_in_time,
    i.amount as expected_amount, d.received_amount, d.sms_event_id, d.payment_intent_id, i.status as intent_status,
    jsonb_build_array(
      jsonb_build_object('paymentIntentId', d.payment_intent_id, 'path', 'TRX_ID', 'reason', 'disputed_trx_id',
        'failedRules', jsonb_build_array('reuse')),
      jsonb_build_object('paymentIntentId', d.paid_intent_id, 'path', coalesce(m.path, 'TRX_ID'),
        'reason', coalesce(m.reason, 'trx_id_match'), 'failedRules', '[]'::jsonb)) as candidates,
    d.assignee_id, d.decided_by, d.resolution_note, d.created_at, d.closed_at as resolved_at,
    e.provider, e.method, e.trx_id, e.reference_key, e.receiver_account_id, e.receiver_msisdn, e.payer_msisdn,
    e.provider_time, e.ingested_at, e.authenticity, e.signals,
    jsonb_build_object('submittedAt', d.submitted_at, 'paidIntentId', d.paid_intent_id, 'paidSubmittedAt', d.paid_submitted_at) as dispute
  from disputes d
  left join evidence e on e.sms_event_id = d.sms_event_id
  left join matches m on m.sms_event_id = d.sms_event_id
  left join intents i on i.id = d.payment_intent_id`;

const FIND = statement(
  'find-exception',
  `${SELECT} where m.id = $1 and m.merchant_id = $2
   union all
   ${SELECT_DISPUTE} where d.id = $1 and d.merchant_id = $2`,
);

export async function findExceptionRow(db: Queryable, merchantId: string, id: string) {
  const [row] = await db.query<ExceptionRow>(FIND, [id, merchantId]);
  return row;
}

/** In the order of these ids. */
export async function exceptionRows(db: Queryable, ids: readonly string[]): Promise<ExceptionRow[]> {
  if (ids.length === 0) return [];
  const rows = await db.query<ExceptionRow>(
    `${SELECT} where m.id = any($1::uuid[]) union all ${SELECT_DISPUTE} where d.id = any($1::uuid[])`,
    [ids],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
