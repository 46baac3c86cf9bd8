import type { Environment } from '@pay/contracts';
import { command } from '@pay/persistence';
import { isSendable } from '../endpoints/endpoint-repository';

/** The next ones by their schedule. To try more would take longer than most of them wait. */
const CANDIDATES = 100;
/** Of one run, so that it stays far below the statement timeout; the next run continues. */
const MOST_ENDPOINTS = 500;

/**
 * Only for endpoints whose breaker wait is over, that have nothing due soon or in progress, and that have not asked to
 * wait (`Retry-After`). Returns their number.
 */
export const makeEarlyProbesDue = command<[verifiedEnvironments: readonly Environment[], soonestGainSeconds: number]>(
  'make-early-probes-due',
  // The delivery whose last attempt is the oldest: one that always fails must not keep others from showing that the
  // endpoint works again. `schedule_from` and `planned_at` keep the place in the schedule.
  `with idle as materialized (
     select e.id from endpoints e cross join lateral (
       select next_attempt_at, lease_owner from deliveries
       where endpoint_id = e.id and next_attempt_at is not null order by next_attempt_at limit 1
     ) d
     where e.failing_since is not null and e.breaker_until <= now() and coalesce(e.early_probes_from <= now(), true)
       and ${isSendable('$1')}
       and d.next_attempt_at > now() + make_interval(secs => $2::float8) and d.lease_owner is null
     order by e.breaker_until limit ${MOST_ENDPOINTS}
   ), next_up as materialized (
     select candidate.id from idle cross join lateral (
       select id from (
         select id, attempt from deliveries
         where endpoint_id = idle.id and next_attempt_at is not null order by next_attempt_at limit ${CANDIDATES}
       ) waiting
       order by (select started_at from attempts a where a.delivery_id = waiting.id and a.attempt = waiting.attempt) limit 1
     ) candidate
   ), early as materialized (
     select d.id from next_up cross join lateral (
       select id from deliveries where id = next_up.id and next_attempt_at > now() and lease_owner is null
       for update skip locked
     ) d
   )
   update deliveries d set planned_at = coalesce(planned_at, next_attempt_at), next_attempt_at = now(),
     schedule_from = schedule_from + (planned_at is null)::int
   from early where d.id = early.id`,
);
