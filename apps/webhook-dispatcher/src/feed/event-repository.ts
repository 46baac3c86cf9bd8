import type { Tenant, FeedEventType } from '@pay/contracts';
import { arraysOf, enqueued, statement, type Queryable, type Transaction } from '@pay/persistence';

export interface RecordedEvent extends Tenant {
  readonly id: string;
  readonly type: FeedEventType;
  readonly paymentIntentId: string;
  readonly occurredAt: string;
  readonly body: string;
  /** Poisha. */
  readonly amount: bigint;
  /** One per subscribed endpoint. */
  readonly plannedDeliveries: number;
}

/**
 * Assigns positions under the lock of each tenant's counter until COMMIT, in a fixed order, so commit order is position
 * order. Enqueue it last, or others wait longer; a repeated fact with another event id is ignored.
 */
// A join would compare every event with every tenant of the batch, because only nested loops are enabled.
export const recordEvents = enqueued(
  'record-events',
  `with given as materialized (
     select distinct on (g.payment_intent_id, g.type) g.* from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::uuid[],
       $6::timestamptz[], $7::text[], $8::smallint[], $9::bigint[]) with ordinality
       as g (merchant_id, environment, id, type, payment_intent_id, occurred_at, body, planned_deliveries, amount, place)
     where not exists (select from events e where e.payment_intent_id = g.payment_intent_id and e.type = g.type)
     order by g.payment_intent_id, g.type, g.place
   ), counted as (
     insert into event_counters as c (merchant_id, environment, position)
     select merchant_id, environment, count(*) from given group by merchant_id, environment order by merchant_id, environment
     on conflict (merchant_id, environment) do update set position = c.position + excluded.position
     returning c.merchant_id, c.environment, c.position
   )
   insert into events (merchant_id, environment, position, id, type, payment_intent_id, occurred_at, body, planned_deliveries, amount)
   select g.merchant_id, g.environment,
     ((select jsonb_object_agg(merchant_id || environment, position) from counted) ->> (g.merchant_id || g.environment))::bigint
       - count(*) over tenant + row_number() over (tenant order by g.place),
     g.id, g.type, g.payment_intent_id, g.occurred_at, g.body, g.planned_deliveries, g.amount
   from given g
   window tenant as (partition by g.merchant_id, g.environment)
   on conflict on constraint events_once do nothing`,
  (events: readonly RecordedEvent[]) => [
    ...arraysOf(events, 'merchantId', 'environment', 'id', 'type', 'paymentIntentId', 'occurredAt', 'body'),
    events.map(({ plannedDeliveries }) => plannedDeliveries),
    events.map(({ amount }) => amount.toString()),
  ],
);

export interface FeedEvent {
  readonly position: string;
  readonly id: string;
  readonly type: FeedEventType;
  readonly occurredAt: Date;
  readonly body: string;
}

const READ = `select position, id, type, occurred_at as "occurredAt", body from events
  where merchant_id = $1 and environment = $2 and position > $3`;
const READ_ALL = statement('read-events', `${READ} order by position limit $4`);
const READ_TYPE = statement('read-events-of-type', `${READ} and type = $5 order by position limit $4`);

export async function readEvents(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { after, limit, type }: { after: number; limit: number; type?: FeedEventType | undefined },
): Promise<FeedEvent[]> {
  const values = [merchantId, environment, after, limit];
  return type === undefined ? db.query<FeedEvent>(READ_ALL, values) : db.query<FeedEvent>(READ_TYPE, [...values, type]);
}

const BOUNDS = statement(
  'event-feed-bounds',
  `select position::float8 as last, deleted_through::float8 as "deletedThrough" from event_counters
   where merchant_id = $1 and environment = $2`,
);

/** The last assigned position, and the last deleted one. */
export async function feedBounds(
  db: Queryable,
  { merchantId, environment }: Tenant,
): Promise<{ last: number; deletedThrough: number }> {
  const [row] = await db.query<{ last: number; deletedThrough: number }>(BOUNDS, [merchantId, environment]);
  return row ?? { last: 0, deletedThrough: 0 };
}

const NEXT_TIME = statement(
  'event-time-from-position',
  `select created_at as "createdAt" from events where merchant_id = $1 and environment = $2 and position >= $3
   order by position limit 1`,
);

/** The position before the first event at or after a time, found by binary search. */
export async function positionBefore(tx: Transaction, tenant: Tenant, since: Date): Promise<string> {
  const { last, deletedThrough } = await feedBounds(tx, tenant);
  let low = deletedThrough;
  let high = last;
  while (low < high) {
    const middle = Math.floor((low + high) / 2) + 1;
    const [row] = await tx.query<{ createdAt: Date }>(NEXT_TIME, [tenant.merchantId, tenant.environment, middle]);
    if (row === undefined || row.createdAt >= since) high = middle - 1;
    else low = middle;
  }
  return String(low);
}
