import { statement, type Queryable } from '@pay/persistence';

const FIND = statement(
  'find-deleted-endpoints-with-deliveries',
  `select id from endpoints where deleted_at is not null and deliveries_ended_at is null order by deleted_at limit $1`,
);

/** Deleted endpoints that may have deliveries which have not ended; the longest deleted first. */
export async function findDeletedEndpoints(db: Queryable, limit: number): Promise<string[]> {
  return (await db.query<{ id: string }>(FIND, [limit])).map(({ id }) => id);
}

/** Not those with a lease: the result or the end of the lease makes them due, and they are failed then. */
const FAIL_SCHEDULED = statement(
  'fail-scheduled-deliveries-of-endpoint',
  `with scheduled as materialized (
     select id from deliveries where endpoint_id = $1 and next_attempt_at is not null and lease_owner is null
     order by next_attempt_at limit $2 for update skip locked
   )
   update deliveries d set status = 'FAILED', next_attempt_at = null, planned_at = null, ended_at = now()
   from scheduled where d.id = scheduled.id`,
);

/** Returns their number. */
export async function failScheduled(db: Queryable, endpointId: string, limit: number): Promise<number> {
  return db.execute(FAIL_SCHEDULED, [endpointId, limit]);
}

/**
 * Reads failed deliveries too, because they are in the same index: a batch has a limited cost however many there are.
 * It waits for locked rows, so that none before the position of the next batch is left open.
 */
const FAIL_HELD = statement(
  'fail-held-deliveries-of-endpoint',
  `with resting as materialized (
     select id, status <> 'FAILED' as is_held from deliveries
     where endpoint_id = $1 and id > $2::uuid and next_attempt_at is null and status <> 'DELIVERED'
     order by id limit $3
   ), held as materialized (
     select d.id from resting cross join lateral (
       select id from deliveries
       where id = resting.id and next_attempt_at is null and status in ('PENDING', 'RETRYING') for update
     ) d
     where resting.is_held
   ), failed as (
     update deliveries d set status = 'FAILED', ended_at = now() from held where d.id = held.id
   )
   select count(*)::int as read, max(id::text) as "lastId" from resting`,
);

/** Fails the held deliveries among the next `limit` that have no time for their next attempt. */
export async function failHeld(
  db: Queryable,
  endpointId: string,
  afterId: string,
  limit: number,
): Promise<{ read: number; lastId: string | null }> {
  const [row] = await db.query<{ read: number; lastId: string | null }>(FAIL_HELD, [endpointId, afterId, limit]);
  if (row === undefined) throw new Error('invariant: an aggregate returns one row');
  return row;
}

const HAS_SCHEDULED = statement(
  'has-scheduled-deliveries',
  `select exists (select from deliveries where endpoint_id = $1 and next_attempt_at is not null) as "hasScheduled"`,
);

/** Whether a delivery has a time for its next attempt or a lease. */
export async function hasScheduled(db: Queryable, endpointId: string): Promise<boolean> {
  const [row] = await db.query<{ hasScheduled: boolean }>(HAS_SCHEDULED, [endpointId]);
  return row?.hasScheduled === true;
}

const MARK_ENDED = statement(
  'mark-deliveries-of-endpoint-ended',
  `update endpoints set deliveries_ended_at = now() where id = $1 and deleted_at is not null`,
);

export async function markDeliveriesEnded(db: Queryable, endpointId: string): Promise<void> {
  await db.execute(MARK_ENDED, [endpointId]);
}
