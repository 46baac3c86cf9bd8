import { statement, type Database } from '@pay/persistence';
import { INBOX_DAYS, REPLAY_WINDOW_DAYS } from './timings';

const BATCH = 1_000;
/** A run ends after this many batches even if there is more: the next run is a minute away. */
const MOST_BATCHES = 50;

const DELETE_PUBLISHED = statement(
  'outbox-delete-published',
  `delete from outbox where id in (
     select id from outbox where created_at < now() - $1 * interval '1 day'
        and not exists (select from outbox_pending where outbox_pending.id = outbox.id)
      order by created_at, seq limit $2)`,
);
const DELETE_RECEIVED = statement(
  'inbox-delete-received',
  `delete from inbox where ctid = any(array(
     select ctid from inbox where received_at < now() - $1 * interval '1 day' limit $2))`,
);
const DELETE_REPLAYS = `delete from outbox_replays where finished_at < now() - interval '30 days'`;
const DELETE_SUSPECTS = `delete from inbox_suspects where begun_at < now() - interval '30 days'`;

/** Deletes what is past its time, in small transactions. */
export async function sweepOldRows(db: Database): Promise<void> {
  await inBatches(() => db.execute(DELETE_PUBLISHED, [REPLAY_WINDOW_DAYS, BATCH]));
  await inBatches(() =>
    db.transaction(async (tx) => {
      // The index on received_at is a BRIN one, which nothing but a bitmap scan can use.
      await tx.execute('set local enable_bitmapscan = on');
      return tx.execute(DELETE_RECEIVED, [INBOX_DAYS, BATCH]);
    }),
  );
  await db.execute(DELETE_REPLAYS);
  await db.execute(DELETE_SUSPECTS);
}

async function inBatches(deleteOne: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    if ((await deleteOne()) < BATCH) return;
  }
}
