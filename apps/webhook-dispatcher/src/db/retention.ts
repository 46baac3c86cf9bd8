import { statement, type Database, type Queryable } from '@pay/persistence';

/** What could not be sent for so long is given up, so that it ends and is deleted in its time. */
const GIVE_UP = statement(
  'give-up-held-deliveries',
  `with held as materialized (
     select id from deliveries
     where id < $1::uuid and status in ('PENDING', 'RETRYING') and next_attempt_at is null and lease_owner is null
     order by id limit $2 for update skip locked
   )
   update deliveries d set status = 'FAILED', ended_at = now() from held where d.id = held.id`,
);

/** Held deliveries with ids below that one. Gives how many were given up. */
export async function giveUpHeld(db: Queryable, beforeId: string, limit: number): Promise<number> {
  return db.execute(GIVE_UP, [beforeId, limit]);
}

const DELETE_ENDED = statement(
  'delete-ended-deliveries',
  `with ended as materialized (
     select id from deliveries
     where id < $1::uuid and status in ('DELIVERED', 'FAILED') and coalesce(ended_at, delivered_at, created_at) < $2
     order by id limit $3 for update skip locked
   ), attempted as (
     delete from attempts a using ended where a.delivery_id = ended.id
   )
   delete from deliveries d using ended where d.id = ended.id`,
);

/** Deliveries that ended before a time, with their attempts. Their ids, being older, narrow the search. Gives how many. */
export async function deleteEnded(db: Queryable, beforeId: string, before: Date, limit: number): Promise<number> {
  return db.execute(DELETE_ENDED, [beforeId, before, limit]);
}

const DELETE_EVENTS = statement(
  'delete-old-events',
  `with old as (
     delete from events where ctid = any(array(select ctid from events where created_at < $1 limit $2))
     returning merchant_id, environment, position
   ), last as (
     select merchant_id, environment, max(position) as position from old group by merchant_id, environment
     order by merchant_id, environment
   ), noted as (
     update event_counters c set deleted_through = greatest(c.deleted_through, last.position)
     from last where c.merchant_id = last.merchant_id and c.environment = last.environment
   )
   select count(*)::int as deleted from old`,
);

/** Events recorded before a time; each feed notes how far it was cut. Gives how many. */
export async function deleteEvents(db: Database, before: Date, limit: number): Promise<number> {
  return db.transaction(async (tx) => {
    // The index on created_at is a BRIN one, which nothing but a bitmap scan can use.
    await tx.execute('set local enable_bitmapscan = on');
    const [row] = await tx.query<{ deleted: number }>(DELETE_EVENTS, [before, limit]);
    return row?.deleted ?? 0;
  });
}

const DELETE_RECOVERIES = statement(
  'delete-old-recoveries',
  `delete from recoveries where id < $1::uuid and finished_at is not null`,
);

export async function deleteRecoveries(db: Queryable, beforeId: string): Promise<void> {
  await db.execute(DELETE_RECOVERIES, [beforeId]);
}
