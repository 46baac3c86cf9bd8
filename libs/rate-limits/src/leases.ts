import { arraysOf, command, rows } from '@pay/persistence';
import type { Demands } from './share';

export interface LeaseRequest {
  readonly key: string;
  readonly refill: number;
  readonly burst: number;
  readonly spent: number;
  readonly perSecond: number;
}
export interface LeaseRow {
  readonly subject: string;
  readonly used: number;
  readonly demands: Demands;
}

/** A replica without a report about a subject for this time is not counted any more. */
const SILENT_AFTER_SECONDS = 3;

/**
 * Writes reports and reads leases in one statement; rows are locked in key order, so that replicas cannot deadlock.
 * `used` decreases as the bucket refills; it may exceed the bucket by at most one bucket, which the replicas pay back
 * together.
 */
export const exchangeLeases = rows<LeaseRow, [replica: string, requests: readonly LeaseRequest[]]>(
  'rate-limit-exchange',
  `insert into rate_limit_leases as kept (subject, refill, burst, used, at, demands, keep_until)
   select subject, refill, burst, spent, now(),
          jsonb_build_object($1::text, jsonb_build_array(per_second, extract(epoch from now()))),
          date_trunc('hour', now()) + interval '2 hours'
     from unnest($2::text[], $3::float8[], $4::float8[], $5::float8[], $6::float8[])
       as report (subject, refill, burst, spent, per_second)
    order by subject
   on conflict (subject) do update set
     refill = excluded.refill,
     burst = excluded.burst,
     used = least(2 * excluded.burst, greatest(0, kept.used + excluded.used
       - excluded.refill * greatest(0, extract(epoch from excluded.at - kept.at)::float8))),
     at = greatest(kept.at, excluded.at),
     demands = (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(kept.demands)
                 where (value ->> 1)::float8 > extract(epoch from excluded.at) - ${SILENT_AFTER_SECONDS}) || excluded.demands,
     keep_until = excluded.keep_until
   returning subject, used, demands`,
  (replica, requests) => [replica, ...arraysOf(requests, 'key', 'refill', 'burst', 'spent', 'perSecond')],
);

export const forgetOldLeases = command('rate-limit-forget', 'delete from rate_limit_leases where keep_until < now()');
