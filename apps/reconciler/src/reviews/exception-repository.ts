import type { ExceptionResponse, MatchStatus, Provider, Tenant } from '@pay/contracts';
import { firstRow, type Queryable } from '@pay/persistence';
import type { Candidate } from '../domain/working-set';

type Shown = Omit<
  ExceptionResponse,
  'status' | 'kind' | 'explanations' | 'resolvedBy' | 'createdAt' | 'resolvedAt' | 'money' | 'dispute'
>;
type Money = NonNullable<ExceptionResponse['money']>;

/** A match or dispute with its SMS and intent, for reviewers. Amounts are in poisha. */
export interface ExceptionRow
  extends Pick<Tenant, 'merchantId'>, Shown, Omit<Money, 'provider' | 'providerTime' | 'ingestedAt'> {
  /** Kind of the exception; null if the match needs no review. */
  readonly exception: string | null;
  readonly candidates: readonly Candidate[];
  readonly decidedBy: string;
  readonly createdAt: Date;
  readonly resolvedAt: Date | null;
  /** Null without evidence. */
  readonly provider: Provider | null;
  readonly providerTime: Date;
  readonly ingestedAt: Date;
  /** Null for a match. */
  readonly dispute: DisputeFacts | null;
}

/** The two claims of a disputed TrxID; times as Postgres writes them in JSON. */
export interface DisputeFacts {
  readonly submittedAt: string;
  readonly paidIntentId: string;
  readonly paidSubmittedAt: string | null;
}

const SELECT = `select m.id, m.merchant_id as "merchantId", m.environment, m.status as "matchStatus", m.reason,
    exception_of(m.status, m.reason) as exception, m.path, m.checks, m.doubts, m.paid_in_time as "paidInTime",
    m.expected_amount as "expectedAmount", m.received_amount as "receivedAmount", m.sms_event_id as "smsEventId",
    m.payment_intent_id as "paymentIntentId", i.status as "intentStatus", m.candidates, m.assignee_id as "assigneeId",
    m.decided_by as "decidedBy", m.resolution_note as "resolutionNote", m.created_at as "createdAt", m.resolved_at as "resolvedAt",
    e.provider, e.method as "paymentMethod", e.trx_id as "trxId", e.reference_key as reference,
    e.receiver_account_id as "receiverAccountId", e.receiver_msisdn as "receiverMsisdn", e.payer_msisdn as "payerMsisdn",
    e.provider_time as "providerTime", e.ingested_at as "ingestedAt", e.authenticity, e.signals, null::jsonb as dispute
  from matches m
  left join evidence e on e.sms_event_id = m.sms_event_id
  left join intents i on i.id = m.payment_intent_id`;

/** In the form of a match: DUPLICATE while open, REJECTED after a person has closed it. */
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

export const findExceptionRow = firstRow<ExceptionRow, [merchantId: string, id: string]>(
  'find-exception',
  `${SELECT} where m.id = $1 and m.merchant_id = $2
   union all
   ${SELECT_DISPUTE} where d.id = $1 and d.merchant_id = $2`,
  (merchantId, id) => [id, merchantId],
);

/** Why a match was open before a person closed it. The match itself has the reason of the closing. */
export const findReasonBeforeClosing = firstRow<
  { readonly status: MatchStatus; readonly reason: string },
  [matchId: string]
>(
  'find-reason-before-closing',
  `select d.record ->> 'status' as status, d.record ->> 'reason' as reason
   from (select record::jsonb as record from decisions where match_id = $1) d
   where d.record #>> '{sms,id}' is not null and d.record ->> 'status' <> 'REJECTED' and d.record ->> 'reason' <> 'reopened'
   order by (d.record #>> '{sms,sequence}')::int desc limit 1`,
  (matchId) => [matchId],
);

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
