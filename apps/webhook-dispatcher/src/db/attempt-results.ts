import type { DeliveryStatus } from '@pay/contracts';
import { statement, type Transaction } from '@pay/persistence';
import type { OutcomeClass } from '../domain/outcome';

export interface AttemptRecord {
  readonly deliveryId: string;
  readonly attempt: number;
  readonly outcome: OutcomeClass;
  readonly httpStatus: number | null;
  readonly detail: string | null;
  readonly headersMs: number | null;
  readonly totalMs: number;
  readonly response: string | null;
  readonly status: DeliveryStatus;
  /** Until the next attempt; null when there is none. */
  readonly waitSeconds: number | null;
}

/**
 * Fenced by owner and attempt: who has lost the lease changes nothing about the delivery, while the attempt keeps the truth
 * about its own request.
 */
const RECORD = statement(
  'record-attempts',
  `with result as (
     select * from unnest($1::uuid[], $2::int[], $3::text[], $4::int[], $5::text[], $6::int[], $7::int[], $8::text[],
       $9::text[], $10::float8[])
       as r (delivery_id, attempt, outcome, http_status, detail, headers_ms, total_ms, response, status, wait_seconds)
   ), attempted as (
     update attempts a set finished_at = now(), outcome = r.outcome, http_status = r.http_status, detail = r.detail,
       headers_ms = r.headers_ms, total_ms = r.total_ms, response = r.response
     from result r
     where a.delivery_id = r.delivery_id and a.attempt = r.attempt and a.worker_id = $11::uuid
   )
   update deliveries d set status = r.status, status_code = r.http_status, lease_owner = null,
     next_attempt_at = now() + make_interval(secs => r.wait_seconds),
     delivered_at = case when r.status = 'DELIVERED' then now() end
   from result r
   where d.id = r.delivery_id and d.attempt = r.attempt and d.lease_owner = $11::uuid
   returning d.id`,
);

/** Tells after COMMIT which deliveries took their result; the others had been claimed by someone else since. */
export function recordAttempts(
  tx: Transaction,
  workerId: string,
  records: readonly AttemptRecord[],
  onCommit: (ours: ReadonlySet<string>) => void,
): void {
  const values = [
    records.map(({ deliveryId }) => deliveryId),
    records.map(({ attempt }) => attempt),
    records.map(({ outcome }) => outcome),
    records.map(({ httpStatus }) => httpStatus),
    records.map(({ detail }) => detail),
    records.map(({ headersMs }) => headersMs),
    records.map(({ totalMs }) => totalMs),
    records.map(({ response }) => response),
    records.map(({ status }) => status),
    records.map(({ waitSeconds }) => waitSeconds),
    workerId,
  ];
  tx.enqueue<{ id: string }>(RECORD, values, (rows) => onCommit(new Set(rows.map(({ id }) => id))));
}
