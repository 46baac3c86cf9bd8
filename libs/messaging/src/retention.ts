import { setTimeout as delay } from 'node:timers/promises';
import { retryOnConflict, statement, type Database, type Transaction } from '@pay/persistence';
import { INBOX_DAYS, INBOX_LATE_DAYS, REPLAY_WINDOW_DAYS } from './timings';

const BATCH = 2_000;

const CREATE_POSITIONS = statement(
  'retention-create-positions',
  'insert into retention_positions (name) select unnest($1::text[]) on conflict do nothing',
);
const LOCK_POSITION = statement(
  'retention-lock-position',
  `select case when restarted_at > now() - interval '1 day' then position end as position from retention_positions
    where name = $1 for update skip locked`,
);
const MOVE_POSITION = statement(
  'retention-move-position',
  `update retention_positions set position = $2,
          restarted_at = case when restarted_at > now() - interval '1 day' then restarted_at else now() end
    where name = $1`,
);

// Event ids are UUID v7, so the primary key of the inbox is in the order of time, and its old end needs no index of its own.
const DELETE_RECEIVED = statement(
  'inbox-delete-received',
  `with bounds as materialized (
     select coalesce($2::uuid, '00000000-0000-0000-0000-000000000000') as start,
       (lpad(to_hex(floor(extract(epoch from now() - $3 * interval '1 day') * 1000)::bigint), 12, '0')
         || '70008000000000000000')::uuid as stop
   ), batch as materialized (
     select message_id from inbox
      where consumer = $1 and message_id > (select start from bounds) and message_id < (select stop from bounds)
      order by message_id limit $5
   ), last as materialized (
     select message_id from batch order by message_id desc limit 1
   ), deleted as (
     delete from inbox
      where consumer = $1 and message_id > (select start from bounds) and message_id <= (select message_id from last)
        and received_at < now() - $4 * interval '1 day'
   )
   select (select count(*) from batch) < $5 as "isLast",
     (case when (select count(*) from batch) < $5 then (select greatest(start, stop) from bounds)
      else (select message_id from last) end)::text as position`,
);

// What is still to be published stays.
const DELETE_PUBLISHED = statement(
  'outbox-delete-published',
  `with batch as materialized (
     select id, created_at, exists (select from outbox_pending where outbox_pending.id = outbox.id) as pending from outbox
      where created_at >= coalesce($1::timestamptz, '-infinity') and created_at < now() - $2 * interval '1 day'
      order by created_at, seq limit $3
   ), deleted as (
     delete from outbox where id = any(array(select id from batch where not pending)) returning id
   )
   select count(*) < $3 or not exists (select from deleted) as "isLast",
     (case when count(*) < $3 then now() - $2 * interval '1 day' else max(created_at) end)::text as position
   from batch`,
);
const DELETE_REPLAYS = `delete from outbox_replays where finished_at < now() - interval '30 days'`;
const DELETE_SUSPECTS = `delete from inbox_suspects where begun_at < now() - interval '30 days'`;

/**
 * Deletes everything that is past its time, in batches of a transaction each. A batch reads what it deletes and nothing else. One replica
 * deletes from a table at a time; the others find its position locked and leave it.
 */
export async function sweepOldRows(db: Database, consumers: readonly string[], signal: AbortSignal): Promise<void> {
  const sweeps = [
    ...consumers.map((consumer) => ({
      name: `inbox ${consumer}`,
      sql: DELETE_RECEIVED,
      values: (from: string | null) => [consumer, from, INBOX_DAYS, INBOX_LATE_DAYS, BATCH],
    })),
    { name: 'outbox', sql: DELETE_PUBLISHED, values: (from: string | null) => [from, REPLAY_WINDOW_DAYS, BATCH] },
  ];
  await db.execute(CREATE_POSITIONS, [sweeps.map(({ name }) => name)]);
  for (const { name, sql, values } of sweeps) {
    const deleteBatch = async (tx: Transaction, from: string | null) => (await tx.query<Batch>(sql, values(from)))[0];
    await inBatches(signal, () => fromPosition(db, name, deleteBatch));
  }
  await db.execute(DELETE_REPLAYS);
  await db.execute(DELETE_SUSPECTS);
}

interface Batch {
  readonly isLast: boolean;
  /** Where the next batch begins. */
  readonly position: string;
}

type DeleteBatch = (tx: Transaction, from: string | null) => Promise<Batch | undefined>;

/** Answers whether there is more to delete. Not for this process when another one has the position. */
function fromPosition(db: Database, name: string, deleteBatch: DeleteBatch): Promise<boolean> {
  return retryOnConflict(db, async (tx) => {
    const [row] = await tx.query<{ position: string | null }>(LOCK_POSITION, [name]);
    const batch = row && (await deleteBatch(tx, row.position));
    if (batch === undefined) return false;
    tx.enqueue(MOVE_POSITION, [name, batch.position]);
    return !batch.isLast;
  });
}

/** As many batches as there are: deletion keeps up with any load. Each is followed by a pause of its own length, which leaves payments their share. */
async function inBatches(signal: AbortSignal, deleteBatch: () => Promise<boolean>): Promise<void> {
  let begun = performance.now();
  while (!signal.aborted && (await deleteBatch())) {
    await delay(performance.now() - begun, undefined, { signal }).catch(() => undefined);
    begun = performance.now();
  }
}
