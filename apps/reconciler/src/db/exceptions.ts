import {
  exceptionKindSchema,
  MAX_COUNTED_EXCEPTIONS,
  type Checks,
  type Environment,
  type ExceptionListQuery,
  type IntentStatus,
  type MatchPath,
  type MatchStatus,
  type PaymentMethod,
  type Provider,
  type SmsSignal,
} from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';
import type { Candidate } from '../domain/match';

/** A match with what it is about, as people look at it. */
export interface ExceptionRow {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly status: MatchStatus;
  readonly reason: string;
  /** Its queue; null for what is nobody's business. */
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
  readonly signals: readonly SmsSignal[];
}

const SELECT = `select m.id, m.merchant_id, m.environment, m.status, m.reason, exception_of(m.status, m.reason) as exception, m.path,
    m.checks, m.doubts, m.paid_in_time, m.expected_amount, m.received_amount, m.sms_event_id, m.payment_intent_id,
    i.status as intent_status, m.candidates, m.assignee_id, m.decided_by, m.resolution_note, m.created_at, m.resolved_at,
    e.provider, e.method, e.trx_id, e.reference_key, e.receiver_account_id, e.receiver_msisdn, e.payer_msisdn,
    e.provider_time, e.ingested_at, e.signals
  from matches m
  left join evidence e on e.sms_event_id = m.sms_event_id
  left join intents i on i.id = m.payment_intent_id`;

const FIND = statement('find-exception', `${SELECT} where m.id = $1 and m.merchant_id = $2`);

export async function findExceptionRow(db: Queryable, merchantId: string, id: string) {
  const [row] = await db.query<ExceptionRow>(FIND, [id, merchantId]);
  return row;
}

/** Money that waits for its intent is nobody's business before that. */
const WAITS_FOR_ITS_INTENT = "interval '15 minutes'";
/** Of one queue, looked through for what no index knows: an amount, a receiver, a reason. */
const MOST_SCANNED = 2 * MAX_COUNTED_EXCEPTIONS;

type Filter = Omit<ExceptionListQuery, 'page' | 'limit'> & { readonly merchantId: string };

interface FoundPage {
  readonly rows: readonly ExceptionRow[];
  readonly total: number;
  readonly totalIsExact: boolean;
}

/** One page, newest first. Each queue is read from the end of its own part of the index, never further than needed. */
export async function pageOfExceptions(
  db: Queryable,
  filter: Filter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<FoundPage> {
  const { text, values, isNarrow } = newestOfQueue(filter);
  const counting = `select coalesce(sum(fitting), 0)::integer as total, coalesce(bool_or(scanned >= ${MOST_SCANNED}), false) as cut
    from queues cross join lateral (
      select count(*)::integer as scanned, count(*) filter (where fits)::integer as fitting
      from (${text(isNarrow ? MOST_SCANNED : MAX_COUNTED_EXCEPTIONS + 1)}) recent) counted`;
  const paging = `select page.id from queues cross join lateral (
      select id, created_at from (${text(isNarrow ? MOST_SCANNED : offset + limit)}) recent where fits
      order by created_at desc, id desc limit ${offset + limit}) page
    order by page.created_at desc, page.id desc limit ${limit} offset ${offset}`;
  const isReachable = offset < MAX_COUNTED_EXCEPTIONS;
  const [[counted], found] = await Promise.all([
    db.query<{ total: number; cut: boolean }>(QUEUES + counting, values),
    isReachable ? db.query<{ id: string }>(QUEUES + paging, values) : [],
  ]);
  const ids = found.map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await db.query<ExceptionRow>(`${SELECT} where m.id = any($1::uuid[])`, [ids]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const { total = 0, cut = false } = counted ?? {};
  return {
    rows: ids.flatMap((id) => byId.get(id) ?? []),
    total: Math.min(total, MAX_COUNTED_EXCEPTIONS),
    totalIsExact: total <= MAX_COUNTED_EXCEPTIONS && !cut,
  };
}

const QUEUES = `with queues as (
  select environment, queue from unnest($2::text[]) as environment cross join unnest($3::text[]) as queue) `;

function newestOfQueue(filter: Filter) {
  const { merchantId, environment, status, kind, assigneeId, createdFrom, createdTo } = filter;
  const open = kind === undefined ? exceptionKindSchema.options : [kind];
  const values: unknown[] = [
    merchantId,
    environment === undefined ? ['SANDBOX', 'LIVE'] : [environment],
    status === 'OPEN' ? open : kind === undefined ? ['closed'] : [],
  ];
  const place = (value: unknown) => `$${values.push(value)}`;
  const inIndex = [
    ...(assigneeId === undefined ? [] : [`m.assignee_id = ${place(assigneeId)}`]),
    ...(createdFrom === undefined ? [] : [`m.created_at >= ${place(createdFrom)}`]),
    ...(createdTo === undefined ? [] : [`m.created_at < ${place(createdTo)}`]),
  ];
  const fits = narrowed(filter, place);
  const text = (most: number) => `
    select m.id, m.created_at, (${['true', ...fits].join(' and ')}) as fits from matches m
    where m.merchant_id = $1 and m.environment = queues.environment and exception_of(m.status, m.reason) = queues.queue
      and m.status not in ('MATCHED', 'DUPLICATE')
      and (m.status <> 'PENDING' or m.created_at < now() - ${WAITS_FOR_ITS_INTENT})
      ${inIndex.map((condition) => `and ${condition}`).join(' ')}
    order by m.created_at desc, m.id desc limit ${most}`;
  return { text, values, isNarrow: fits.length > 0 };
}

function narrowed({ reason, receiverAccountId, amountFrom, amountTo }: Filter, place: (value: unknown) => string) {
  const poisha = (amount: string) => `(${place(amount)}::numeric * 100)::bigint`;
  return [
    ...(reason === undefined ? [] : [`m.reason = ${place(reason)}`]),
    ...(amountFrom === undefined ? [] : [`coalesce(m.received_amount >= ${poisha(amountFrom)}, false)`]),
    ...(amountTo === undefined ? [] : [`coalesce(m.received_amount <= ${poisha(amountTo)}, false)`]),
    ...(receiverAccountId === undefined
      ? []
      : [
          `exists (select 1 from evidence e where e.sms_event_id = m.sms_event_id and e.receiver_account_id = ${place(receiverAccountId)})`,
        ]),
  ];
}
