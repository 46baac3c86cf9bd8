import { statement, type Transaction } from '@pay/persistence';

/**
 * Without an upper bound of time: a dispatcher that saw the endpoint unverified may have begun after the recovery did. What rests (held, or failed where that is wanted) becomes due at the time it was made, so that the oldest is sent first. The schedule
 * begins anew: attempts so far do not count.
 */
const WAKE_RESTING = statement(
  'wake-resting-deliveries',
  `with resting as materialized (
     select id from deliveries
     where endpoint_id = $1 and id > $2::uuid and next_attempt_at is null and status <> 'DELIVERED'
       and (status <> 'FAILED' or $3) and created_at >= $4
     order by id limit $5 for update
   ), woken as (
     update deliveries d set next_attempt_at = d.created_at, next_trigger = 'recover', schedule_from = d.attempt, ended_at = null,
       status = case d.status when 'FAILED' then 'RETRYING' else d.status end
     from resting where d.id = resting.id
   )
   select count(*)::int as count, max(id::text) as "lastId" from resting`,
);

export interface RestingBatch {
  readonly endpointId: string;
  readonly afterId: string;
  readonly withFailed: boolean;
  readonly since: Date;
  readonly limit: number;
}

export async function wakeResting(
  tx: Transaction,
  { endpointId, afterId, withFailed, since, limit }: RestingBatch,
): Promise<{ count: number; lastId: string | null }> {
  const values = [endpointId, afterId, withFailed, since, limit];
  const [row] = await tx.query<{ count: number; lastId: string | null }>(WAKE_RESTING, values);
  return row ?? { count: 0, lastId: null };
}

/**
 * What was tried before becomes due at the time it was made, also when its next attempt is due already: else the oldest ones would
 * stand behind everything that came later. Looks at a stretch of what waits, of which most was never tried. Pulled rows leave the range that
 * is read; one that fails again may come into it once more, while the position is still before its new time.
 */
const PULL_FORWARD = statement(
  'pull-deliveries-forward',
  `with stretch as materialized (
     select id, next_attempt_at, next_attempt_at > created_at and lease_owner is null as is_late from deliveries
     where endpoint_id = $1 and next_attempt_at >= coalesce($2::timestamptz, '-infinity') order by next_attempt_at limit $3
   ), waiting as materialized (
     select d.id from stretch cross join lateral (
       select id from deliveries
       where id = stretch.id and next_attempt_at > created_at and lease_owner is null and status in ('PENDING', 'RETRYING')
       for update skip locked
     ) d
     where stretch.is_late
   ), pulled as (
     update deliveries d set next_attempt_at = d.created_at, planned_at = null from waiting where d.id = waiting.id
   )
   select (select count(*) from waiting)::int as count, count(*)::int as seen, max(next_attempt_at)::text as "lastAt" from stretch`,
);

export async function pullForward(
  tx: Transaction,
  endpointId: string,
  position: string | null,
  limit: number,
): Promise<{ count: number; seen: number; lastAt: string | null }> {
  const values = [endpointId, position, limit];
  const [row] = await tx.query<{ count: number; seen: number; lastAt: string | null }>(PULL_FORWARD, values);
  return row ?? { count: 0, seen: 0, lastAt: null };
}

/** A delivery for each event of a stretch of the feed that the endpoint has none of. */
const PLAN_MISSED = statement(
  'plan-missed-deliveries',
  `with missed as materialized (
     select position, id, type, payment_intent_id, occurred_at, body from events
     where merchant_id = $2 and environment = $3 and position > $4 order by position limit $6
   ), planned as (
     insert into deliveries (id, endpoint_id, merchant_id, environment, payment_intent_id, event_id, event_type, occurred_at,
       idempotency_key, body, next_attempt_at, next_trigger)
     select ($7::uuid[])[row_number() over (order by position)], $1, $2, $3, payment_intent_id, id, type, occurred_at,
       type || ':' || payment_intent_id, body, occurred_at, 'recover'
     from missed where type = any($5::text[]) order by position
     on conflict (endpoint_id, idempotency_key) do nothing
     returning id
   )
   select (select count(*) from missed)::int as seen, (select count(*) from planned)::int as created,
     (select max(position) from missed) as "lastPosition"`,
);

export interface MissedStretch {
  readonly endpointId: string;
  readonly merchantId: string;
  readonly environment: string;
  readonly after: string;
  readonly eventTypes: readonly string[];
  /** As many ids as events may be planned. */
  readonly ids: readonly string[];
}

export async function planMissed(
  tx: Transaction,
  { endpointId, merchantId, environment, after, eventTypes, ids }: MissedStretch,
): Promise<{ seen: number; created: number; lastPosition: string | null }> {
  const values = [endpointId, merchantId, environment, after, eventTypes, ids.length, ids];
  const [row] = await tx.query<{ seen: number; created: number; lastPosition: string | null }>(PLAN_MISSED, values);
  return row ?? { seen: 0, created: 0, lastPosition: null };
}
