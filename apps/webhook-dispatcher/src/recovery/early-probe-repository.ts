import type { Environment } from '@pay/contracts';
import { command } from '@pay/persistence';
import { HAS_FAILED_EARLY, PROBE_CANDIDATES } from '../delivery/delivery-repository';
import { isSendable } from '../endpoints/endpoint-repository';

/** Of one run, so that it stays far below the statement timeout; the next run continues. */
const MOST_ENDPOINTS = 500;

/**
 * Returns their number. Only for endpoints whose breaker wait is over and that have nothing due soon, or only
 * deliveries that have failed early; one that has asked to wait (`Retry-After`) gets no others.
 */
export const makeEarlyProbesDue = command<[verifiedEnvironments: readonly Environment[], soonestGainSeconds: number]>(
  'make-early-probes-due',
  // Deliveries that always fail must not keep others from showing that the endpoint works again: those that have failed
  // early take turns with the others, and of each kind the one is sent whose last attempt is the oldest.
  `with idle as materialized (
     select e.id, may_be_early from endpoints e
     cross join lateral (select coalesce(e.early_probes_from <= now(), true) as may_be_early) asked
     cross join lateral (
       select next_attempt_at, lease_owner from deliveries
       where endpoint_id = e.id and next_attempt_at is not null order by next_attempt_at limit 1
     ) d
     where e.failing_since is not null and e.breaker_until <= now() and ${isSendable('$1')}
       and case when d.next_attempt_at > now()
         then d.next_attempt_at > now() + make_interval(secs => $2::float8) and d.lease_owner is null and may_be_early
         else not exists (
           select from (
             select * from deliveries where endpoint_id = e.id and next_attempt_at <= now()
             order by next_attempt_at limit ${PROBE_CANDIDATES}
           ) due where not ${HAS_FAILED_EARLY}
         ) end
     order by e.breaker_until limit ${MOST_ENDPOINTS}
   ), next_up as materialized (
     select candidate.id from idle cross join lateral (
       select id from (
         select id, failed_early, (select started_at from attempts a where a.delivery_id = d.id and a.attempt = d.attempt) from (
           (select id, attempt, failed_early from deliveries
            where endpoint_id = idle.id and next_attempt_at <= now() order by next_attempt_at limit ${PROBE_CANDIDATES})
           union all
           (select id, attempt, failed_early from deliveries
            where endpoint_id = idle.id and next_attempt_at > now() and idle.may_be_early
            order by next_attempt_at limit ${PROBE_CANDIDATES})
         ) d
       ) waiting
       order by failed_early = first_value(failed_early) over (order by started_at desc nulls last), started_at limit 1
     ) candidate
   ), early as materialized (
     select d.id from next_up cross join lateral (
       select id from deliveries
       where id = next_up.id and greatest(next_attempt_at, planned_at) > now() and lease_owner is null
       for update skip locked
     ) d
   )
   update deliveries d set planned_at = coalesce(planned_at, next_attempt_at), next_attempt_at = now(),
     schedule_from = schedule_from + (planned_at is null)::int
   from early where d.id = early.id`,
);
