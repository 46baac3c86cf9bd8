import {
  deleteOldRows,
  FIRST_ID,
  inTransaction,
  type Database,
  type DeletedBatch,
  type OldRows,
} from '@pay/persistence';
import { INBOX_DAYS, INBOX_LATE_DAYS, REPLAY_WINDOW_DAYS } from '../timings';

// Event ids are UUID v7, so the primary key of the inbox is in time order and old rows need no other index.
const deleteReceived = inTransaction.onlyRow<DeletedBatch, [consumer: string, from: string | null, limit: number]>(
  'inbox-delete-received',
  `with bounds as materialized (
     select coalesce($2::uuid, '${FIRST_ID}') as start,
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
        and received_at < now() - $4 * interval '1 day' returning message_id
   )
   select (select count(*) from batch)::int as read, (select count(*) from deleted)::int as deleted,
     (case when (select count(*) from batch) < $5 then (select greatest(start, stop) from bounds)
      else (select message_id from last) end)::text as position`,
  (consumer, from, limit) => [consumer, from, INBOX_DAYS, INBOX_LATE_DAYS, limit],
);

const deletePublished = inTransaction.onlyRow<DeletedBatch, [from: string | null, limit: number]>(
  'outbox-delete-published',
  `with batch as materialized (
     select id, created_at, exists (select from outbox_pending where outbox_pending.id = outbox.id) as pending from outbox
      where created_at >= coalesce($1::timestamptz, '-infinity') and created_at < now() - $2 * interval '1 day'
      order by created_at, seq limit $3
   ), deleted as (
     delete from outbox where id = any(array(select id from batch where not pending)) returning id
   )
   select count(*)::int as read, (select count(*) from deleted)::int as deleted,
     (case when count(*) < $3 then now() - $2 * interval '1 day' else max(created_at) end)::text as position
   from batch`,
  (from, limit) => [from, REPLAY_WINDOW_DAYS, limit],
);
const DELETE_REPLAYS = `delete from outbox_replays where finished_at < now() - interval '30 days'`;
const DELETE_SUSPECTS = `delete from inbox_suspects where begun_at < now() - interval '30 days'`;

export async function sweepOldRows(db: Database, consumers: readonly string[], signal: AbortSignal): Promise<void> {
  const received = consumers.map((consumer): OldRows => ({
    name: `inbox ${consumer}`,
    deleteBatch: (tx, from, limit) => deleteReceived(tx, consumer, from, limit),
  }));
  const published: OldRows = { name: 'outbox', deleteBatch: deletePublished };
  await deleteOldRows(db, [...received, published], signal);
  await db.execute(DELETE_REPLAYS);
  await db.execute(DELETE_SUSPECTS);
}
