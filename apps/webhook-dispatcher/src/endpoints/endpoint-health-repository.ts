import type { Environment } from '@pay/contracts';
import { arraysOf, inTransaction, rows, statement, type Transaction } from '@pay/persistence';
import {
  BREAKER_WEIGHT,
  FIRST_BREAK_SECONDS,
  LONGEST_BREAK_SECONDS,
  type EndpointResult,
  type Receiver,
} from '../domain/breaker';

const NOTE_GONE = statement(
  'note-endpoint-gone',
  `update endpoints e set
     gone_at = coalesce(e.gone_at, now()),
     is_active = e.gone_at is null or e.gone_at > now() - make_interval(secs => $3),
     disabled_reason = case when e.gone_at <= now() - make_interval(secs => $3) then 'GONE' else e.disabled_reason end
   from unnest($1::uuid[], $2::text[]) as r (id, url)
   where e.id = r.id and e.url = r.url and e.is_active returning e.id as "endpointId", e.url, e.is_active as "isActive"`,
);

/**
 * Counts only 410 responses of the current URL: the first is stored, a later one after some time disables the endpoint.
 * Returns the disabled endpoints.
 */
export async function noteGone(
  tx: Transaction,
  receivers: readonly Receiver[],
  confirmedAfterSeconds: number,
): Promise<Receiver[]> {
  const values = [...arraysOf(receivers, 'endpointId', 'url'), confirmedAfterSeconds];
  const rows = await tx.query<Receiver & { isActive: boolean }>(NOTE_GONE, values);
  return rows.filter(({ isActive }) => !isActive);
}

export const forgetGone = inTransaction.command(
  'forget-endpoint-gone',
  `update endpoints e set gone_at = null from unnest($1::uuid[], $2::text[]) as r (id, url)
   where e.id = r.id and e.url = r.url and e.is_active and e.gone_at is not null`,
  (receivers: readonly Receiver[]) => arraysOf(receivers, 'endpointId', 'url'),
);

const NOTE_FAILURES = statement(
  'note-endpoint-failures',
  `with result as (
     select * from unnest($1::uuid[], $2::int[], $3::int[], $4::bool[], $7::text[], $8::float8[])
       as v (id, failures, weight, probe_failed, url, asked_seconds)
   ), target as materialized (
     select e.id, r.failures, r.weight, r.probe_failed, r.asked_seconds from result r join endpoints e on e.id = r.id and e.url = r.url
     order by e.id for no key update of e
   )
   update endpoints e set
     failing_since = coalesce(e.failing_since, now()),
     failed_attempts = e.failed_attempts + t.failures,
     breaker_failures = e.breaker_failures + t.weight,
     early_probes_from = greatest(e.early_probes_from, now() + make_interval(secs => t.asked_seconds)),
     breaker_wait = case
       when t.probe_failed then least(coalesce(e.breaker_wait, $5::float8) * 2, $6::float8)
       when e.breaker_until is null and e.breaker_failures + t.weight >= ${BREAKER_WEIGHT} then $5::float8
       else e.breaker_wait end,
     breaker_until = case
       when t.probe_failed then now() + make_interval(secs => least(coalesce(e.breaker_wait, $5::float8) * 2, $6::float8))
       when e.breaker_until is null and e.breaker_failures + t.weight >= ${BREAKER_WEIGHT}
         then now() + make_interval(secs => $5::float8)
       else e.breaker_until end
   from target t where e.id = t.id`,
);

const NOTE_SUCCESS = statement(
  'note-endpoint-success',
  `with target as materialized (
     select e.id, r.recovery_id, e.breaker_until is not null as was_broken
     from unnest($1::uuid[], $2::uuid[], $3::text[]) as r (id, recovery_id, url) join endpoints e on e.id = r.id and e.url = r.url
     where e.failing_since is not null or e.breaker_until is not null order by e.id for no key update of e
   ), healed as (
     update endpoints e set failing_since = null, failed_attempts = 0, warned_level = 0, breaker_failures = 0, breaker_wait = null,
       breaker_until = null, early_probes_from = null, recovered_at = case when t.was_broken then now() else e.recovered_at end
     from target t where e.id = t.id
   )
   insert into recoveries as r (id, endpoint_id, kind, since)
   select recovery_id, id, 'CAME_BACK', now() from target where was_broken
   on conflict (endpoint_id, kind) where finished_at is null do update set created_at = now(), position_at = null`,
);

/**
 * Sent with COMMIT. Ignores endpoints whose URL has changed; a success closes the breaker and starts a recovery with an
 * id of `newId`.
 */
export function recordEndpointResults(
  tx: Transaction,
  results: readonly EndpointResult[],
  { timeScale, newId }: { readonly timeScale: number; readonly newId: () => string },
): void {
  const well = results.filter(({ succeeded }) => succeeded);
  const ill = results.filter(({ succeeded }) => !succeeded);
  if (well.length > 0)
    tx.enqueue(NOTE_SUCCESS, [well.map(({ endpointId }) => endpointId), well.map(newId), well.map(({ url }) => url)]);
  if (ill.length === 0) return;
  tx.enqueue(NOTE_FAILURES, [
    ...arraysOf(ill, 'endpointId', 'failures', 'weight', 'probeFailed'),
    FIRST_BREAK_SECONDS * timeScale,
    LONGEST_BREAK_SECONDS * timeScale,
    ...arraysOf(ill, 'url', 'askedSeconds'),
  ]);
}

export interface FailingEndpoint {
  readonly endpointId: string;
  readonly failingSince: Date;
  readonly failedAttempts: number;
}

/** Endpoints that have failed for another warning interval. */
export const takeWarnings = rows<FailingEndpoint, [afterSeconds: readonly number[]]>(
  'warn-of-endpoints',
  `with level as (
     select * from unnest($1::int[], $2::float8[]) as l (level, seconds)
   ), target as materialized (
     select e.id, (select max(level) from level where e.failing_since <= now() - make_interval(secs => seconds)) as level
     from endpoints e where e.failing_since <= now() - make_interval(secs => $2[1]) and e.is_active and e.deleted_at is null
     order by e.id for no key update
   )
   update endpoints e set warned_level = t.level from target t where e.id = t.id and t.level > e.warned_level
   returning e.id as "endpointId", e.failing_since as "failingSince", e.failed_attempts as "failedAttempts"`,
  (afterSeconds) => [afterSeconds.map((_, index) => index + 1), afterSeconds],
);

/** Returns the disabled endpoints: those without a success over this time and number of attempts. */
export const switchOffFailing = rows<FailingEndpoint, [afterSeconds: number, leastAttempts: number]>(
  'switch-off-endpoints',
  `with target as materialized (
     select id from endpoints
     where failing_since <= now() - make_interval(secs => $1::float8) and failed_attempts >= $2::int and is_active and deleted_at is null
     order by id for update
   )
   update endpoints e set is_active = false, disabled_reason = 'NO_SUCCESS' from target t where e.id = t.id
   returning e.id as "endpointId", e.failing_since as "failingSince", e.failed_attempts as "failedAttempts"`,
);

const countByEnvironment = (name: string, condition: string) =>
  rows<{ readonly environment: Environment; readonly value: number }>(
    name,
    `select environment, count(*)::int as value from endpoints
     where ${condition} and is_active and deleted_at is null group by environment`,
  );

export const countBroken = countByEnvironment(
  'count-broken-endpoints',
  'failing_since is not null and breaker_until is not null',
);

/** Includes endpoints with an open breaker. */
export const countActive = countByEnvironment('count-active-endpoints', 'is_verified');
