import type { WebhookEvent } from '@pay/contracts';
import { inTransaction, statement, type Transaction } from '@pay/persistence';
import { deliveryId } from '../delivery/delivery-id';
import { deliveryKeyOf } from '../domain/payload';
import type { OpenRecovery } from './recovery-repository';

export interface RestingBatch {
  readonly endpointId: string;
  readonly afterId: string;
  readonly withFailed: boolean;
  readonly since: Date;
  readonly limit: number;
}

/**
 * Without an upper time bound, because a dispatcher that read the unverified endpoint may have started after the
 * recovery. Deliveries become due at their creation time, so that the oldest is sent first, and their schedule
 * restarts.
 */
export const wakeResting = inTransaction.onlyRow<{ count: number; lastId: string | null }, [batch: RestingBatch]>(
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
  ({ endpointId, afterId, withFailed, since, limit }) => [endpointId, afterId, withFailed, since, limit],
);

/** A request also restarts the waits of a delivery that is due already. */
const IS_LATE = '(next_attempt_at > created_at or $4 and early_failures > 0)';

/**
 * Deliveries become due at their creation time, so that the oldest is sent first. Updated rows leave the scanned range,
 * unless the position is before that time.
 */
export const pullForward = inTransaction.onlyRow<
  { count: number; seen: number; lastAt: string | null },
  [recovery: Pick<OpenRecovery, 'endpointId' | 'positionAt' | 'isRequested'>, limit: number]
>(
  'pull-deliveries-forward',
  // One that was sent early and failed is already sent early again, after growing waits: a delivery that always fails
  // would otherwise pause its endpoint whenever it is back. The version before does not count failures.
  `with stretch as materialized (
     select id, next_attempt_at, ${IS_LATE} and lease_owner is null
       and ($4 or early_failures = 0 or not failed_early or next_attempt_at <= now()) as is_late
     from deliveries
     where endpoint_id = $1 and next_attempt_at >= coalesce($2::timestamptz, '-infinity') order by next_attempt_at limit $3
   ), waiting as materialized (
     select d.id, d.is_early from stretch cross join lateral (
       select id, attempt > 0 and next_attempt_at > now() as is_early from deliveries
       where id = stretch.id and ${IS_LATE} and lease_owner is null and status in ('PENDING', 'RETRYING')
       for update skip locked
     ) d
     where stretch.is_late
   ), pulled as (
     update deliveries d set next_attempt_at = d.created_at,
       planned_at = case when w.is_early then coalesce(d.planned_at, d.next_attempt_at) else d.planned_at end,
       schedule_from = d.schedule_from + (w.is_early and d.planned_at is null)::int,
       early_failures = case when $4 then 0 else d.early_failures end
     from waiting w where d.id = w.id
   )
   select (select count(*) from waiting)::int as count, count(*)::int as seen, max(next_attempt_at)::text as "lastAt" from stretch`,
  ({ endpointId, positionAt, isRequested }, limit) => [endpointId, positionAt, limit, isRequested],
);

const MISSED = statement(
  'missed-events',
  `select e.position, e.type, e.payment_intent_id as "paymentIntentId", e.occurred_at as "occurredAt"
   from events e where e.merchant_id = $1 and e.environment = $2 and e.position > $3 order by e.position limit $4`,
);
const PLAN_MISSED = statement(
  'plan-missed-deliveries',
  `insert into deliveries (id, endpoint_id, merchant_id, environment, payment_intent_id, event_id, event_type, occurred_at,
     idempotency_key, body, next_attempt_at, next_trigger)
   select m.id, $1, $2, $3, e.payment_intent_id, e.id, e.type, e.occurred_at, m.idempotency_key, e.body, e.occurred_at, 'recover'
   from unnest($4::bigint[], $5::uuid[], $6::text[]) as m (position, id, idempotency_key)
   join events e on e.merchant_id = $2 and e.environment = $3 and e.position = m.position order by e.position
   on conflict do nothing`,
);

interface MissedEvent {
  readonly position: string;
  readonly type: WebhookEvent;
  readonly paymentIntentId: string;
  readonly occurredAt: Date;
}

export interface MissedStretch {
  readonly endpointId: string;
  readonly merchantId: string;
  readonly environment: string;
  readonly after: string;
  readonly eventTypes: readonly WebhookEvent[];
  readonly limit: number;
}

/** Only events in a range of the feed. */
export async function planMissed(
  tx: Transaction,
  { endpointId, merchantId, environment, after, eventTypes, limit }: MissedStretch,
): Promise<{ seen: number; created: number; lastPosition: string | null }> {
  const seen = await tx.query<MissedEvent>(MISSED, [merchantId, environment, after, limit]);
  const wanted = seen.filter(({ type }) => eventTypes.includes(type));
  const keys = wanted.map(({ type, paymentIntentId }) => deliveryKeyOf(type, paymentIntentId));
  const created = await tx.execute(PLAN_MISSED, [
    ...[endpointId, merchantId, environment],
    wanted.map(({ position }) => position),
    wanted.map(({ occurredAt }, index) => deliveryId(endpointId, keys[index] ?? '', occurredAt)),
    keys,
  ]);
  return { seen: seen.length, created, lastPosition: seen.at(-1)?.position ?? null };
}
