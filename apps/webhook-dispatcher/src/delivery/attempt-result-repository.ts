import type { DeliveryStatus } from '@pay/contracts';
import { arraysOf, statement, type Transaction } from '@pay/persistence';
import { LEASE_SECONDS, type Settlement } from '../domain/delivery';
import type { Receiver } from '../domain/breaker';
import type { OutcomeClass } from '../domain/outcome';

/** `url` is that of the request. */
export interface AttemptRecord extends Receiver {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly outcome: OutcomeClass;
  readonly httpStatus: number | null;
  readonly detail: string | null;
  readonly headersMs: number | null;
  readonly totalMs: number;
  readonly response: string | null;
  /** JSON. Only for failures. */
  readonly responseHeaders: string | null;
  /** The time in the signed headers; null without a request. */
  readonly sentAt: Date | null;
  readonly status: Settlement['status'];
  /** Seconds until the next scheduled attempt; null if there is none. */
  readonly waitSeconds: number | null;
  /** Seconds for which the endpoint asked to wait. */
  readonly askedSeconds: number;
  /** Seconds until the next early attempt, if that is before the scheduled one; null if it is not sent early. */
  readonly earlyWaitSeconds: number | null;
  /** Failed early attempts since the last scheduled one, this one included. Null if this one is not early. */
  readonly earlyFailures: number | null;
  readonly isProbe: boolean;
}

/**
 * During the request, that is since the lease. A time in the future does not count, because the clock of the database
 * has stepped back since.
 */
const isDuring = (time: 'recovered_at' | 'recovery_requested_at'): string =>
  `coalesce(e.${time} > d.next_attempt_at - interval '${LEASE_SECONDS} seconds' and e.${time} <= clock_timestamp(), false)`;
/** `e` is null after a success. */
const IS_REQUESTED = `(coalesce(e.url <> r.url, false) or ${isDuring('recovery_requested_at')})`;
/** Also after the last scheduled attempt. Without a request, an early failure keeps its own waits. */
const IS_SENT_AT_ONCE = `(d.resends = 0
  and (${IS_REQUESTED} or coalesce(r.early_failures, 0) = 0 and ${isDuring('recovered_at')}))`;
const EARLY_AT = 'now() + make_interval(secs => r.early_wait_seconds)';
/** Then `schedule_from` keeps the place in the schedule. */
const NEXT_IS_EARLY = `(${IS_SENT_AT_ONCE} or d.resends = 0 and coalesce(${EARLY_AT} < d.planned_at, false))`;

/**
 * Guarded by owner and attempt: without the lease only the attempt is written. A delivery that was sent early is sent
 * early again or at its scheduled time, unless the endpoint asked for a later one.
 */
const RECORD = statement(
  'record-attempts',
  // The lock makes this statement wait for a change and a requested recovery; later ones wait for the lock and find the
  // result.
  `with result as (
     select * from unnest($1::uuid[], $2::int[], $3::text[], $4::int[], $5::text[], $6::int[], $7::int[], $8::text[],
       $9::text[], $10::float8[], $12::text[], $13::timestamptz[], $14::float8[], $15::uuid[], $16::text[], $17::float8[],
       $18::int[])
       as r (delivery_id, attempt, outcome, http_status, detail, headers_ms, total_ms, response, status, wait_seconds,
         response_headers, sent_at, asked_seconds, endpoint_id, url, early_wait_seconds, early_failures)
   ), receiver as materialized (
     select id, url, recovered_at, recovery_requested_at from endpoints where id in (select endpoint_id from result where status in ('RETRYING', 'FAILED'))
     order by id for key share
   ), attempted as (
     update attempts a set finished_at = now(), outcome = r.outcome, http_status = r.http_status, detail = r.detail,
       headers_ms = r.headers_ms, total_ms = r.total_ms, response = r.response, response_headers = r.response_headers,
       sent_at = r.sent_at
     from result r
     where a.delivery_id = r.delivery_id and a.attempt = r.attempt and a.worker_id = $11::uuid
   )
   update deliveries d set status_code = r.http_status, lease_owner = null,
     status = case when d.resends > 0 and r.status = 'DELIVERED' then 'PENDING'
       when d.resends > 0 or ${IS_SENT_AT_ONCE} then 'RETRYING' else r.status end,
     next_attempt_at = case when d.resends > 0 or ${IS_SENT_AT_ONCE} then now()
       when r.wait_seconds is not null then greatest(now() + make_interval(secs => r.asked_seconds),
         least(coalesce(d.planned_at, now() + make_interval(secs => r.wait_seconds)), ${EARLY_AT})) end,
     planned_at = case when ${NEXT_IS_EARLY} then coalesce(d.planned_at, now() + make_interval(secs => r.wait_seconds)) end,
     schedule_from = case when d.resends > 0 then d.attempt else d.schedule_from + ${NEXT_IS_EARLY}::int end,
     early_failures = case when ${IS_REQUESTED} then 0 else coalesce(r.early_failures, 0) end,
     failed_early = coalesce(r.early_failures > 0, false) and not ${IS_REQUESTED},
     delivered_at = case when d.resends = 0 and r.status = 'DELIVERED' then now() end,
     ended_at = case when d.resends = 0 and r.status in ('DELIVERED', 'FAILED') and not ${IS_SENT_AT_ONCE} then now() end
   from result r left join receiver e on e.id = r.endpoint_id and r.status <> 'DELIVERED'
   where d.id = r.delivery_id and d.attempt = r.attempt and d.lease_owner = $11::uuid and r.status <> 'AGAIN'
   returning d.id, d.status, extract(epoch from d.next_attempt_at - now())::float8 as "waitSeconds"`,
);

/**
 * Writes the next attempt and its lease before the request, as a claim does; `schedule_from` keeps the place in the
 * schedule. If the endpoint was deleted or disabled, the lease ends and the next claim holds the delivery.
 */
const GOES_ON = '(e.is_active and e.deleted_at is null)';
const BEGIN_AGAIN = statement(
  'begin-attempts-again',
  `with leased as (
     update deliveries d set attempt = d.attempt + ${GOES_ON}::int, schedule_from = d.schedule_from + 1, status = 'RETRYING',
       status_code = null, lease_owner = case when ${GOES_ON} then d.lease_owner end,
       next_attempt_at = now() + case when ${GOES_ON} then interval '${LEASE_SECONDS} seconds' else interval '0' end
     from unnest($1::uuid[], $2::int[]) as r (delivery_id, attempt), endpoints e
     where d.id = r.delivery_id and d.attempt = r.attempt and d.lease_owner = $3::uuid and e.id = d.endpoint_id
     returning d.id, d.attempt, d.lease_owner
   )
   insert into attempts (delivery_id, attempt, trigger, started_at, worker_id)
   select l.id, l.attempt, a.trigger, now(), l.lease_owner
   from leased l join attempts a on a.delivery_id = l.id and a.attempt = l.attempt - 1
   where l.lease_owner is not null
   returning delivery_id as id, 'RETRYING' as status, 0::float8 as "waitSeconds"`,
);

export interface StoredResult {
  readonly id: string;
  /** May differ from that of the attempt, if the delivery was requested again or its endpoint has changed. */
  readonly status: DeliveryStatus;
  /** Seconds until the next attempt; null if there is none. */
  readonly waitSeconds: number | null;
}

/** After COMMIT it reports the deliveries whose result was stored. Others have been claimed by another process. */
export function recordAttempts(
  tx: Transaction,
  workerId: string,
  records: readonly AttemptRecord[],
  onCommit: (stored: readonly StoredResult[]) => void,
): void {
  const values = [
    ...arraysOf(records, 'deliveryId', 'attempt', 'outcome', 'httpStatus', 'detail', 'headersMs', 'totalMs'),
    ...arraysOf(records, 'response', 'status', 'waitSeconds'),
    workerId,
    ...arraysOf(records, 'responseHeaders', 'sentAt', 'askedSeconds', 'endpointId', 'url'),
    ...arraysOf(records, 'earlyWaitSeconds', 'earlyFailures'),
  ];
  tx.enqueue<StoredResult>(RECORD, values, onCommit);
  const again = records.filter(({ status }) => status === 'AGAIN');
  if (again.length === 0) return;
  const attempts = again.map(({ attempt }) => attempt);
  tx.enqueue<StoredResult>(BEGIN_AGAIN, [again.map(({ deliveryId }) => deliveryId), attempts, workerId], onCommit);
}
