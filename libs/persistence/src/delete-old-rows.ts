import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from './database';
import { inTransaction } from './queries';
import { retryOnConflict } from './retry-on-conflict';
import { statement } from './statement';
import type { Transaction } from './transaction';

/** Maximum number of rows that a batch reads. */
const BATCH = 2_000;

export interface OldRows {
  /** Names the row of `retention_positions`. Unique within a service. */
  readonly name: string;
  /** Deletes the next rows after `from` in index order; null: from the start. */
  deleteBatch(tx: Transaction, from: string | null, limit: number): Promise<DeletedBatch>;
}

export interface DeletedBatch {
  /** Number of rows read, including rows that must stay. Fewer than the limit: the end is reached. */
  readonly read: number;
  readonly deleted: number;
  readonly position: string | null;
}

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

export interface DeleteOptions {
  readonly batch?: number;
}

/**
 * Deletes all old rows in batches, one transaction each, and returns the deleted rows per name. A sweep continues where
 * the last one ended and restarts once a day; only one replica at a time deletes from a table.
 */
export async function deleteOldRows(
  db: Database,
  tables: readonly OldRows[],
  signal: AbortSignal,
  { batch = BATCH }: DeleteOptions = {},
): Promise<Readonly<Record<string, number>>> {
  await db.execute(CREATE_POSITIONS, [tables.map(({ name }) => name)]);
  const deleted: Record<string, number> = {};
  const failures: unknown[] = [];
  for (const table of tables) {
    try {
      const rows = await deleteInBatches(db, table, signal, batch);
      if (rows > 0) deleted[table.name] = rows;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return deleted;
}

/**
 * The number of batches is not limited, so that deletion keeps up with any load. Each is followed by a pause of
 * the same length, which leaves capacity for payments.
 */
async function deleteInBatches(db: Database, table: OldRows, signal: AbortSignal, limit: number): Promise<number> {
  let total = 0;
  while (!signal.aborted) {
    const begun = performance.now();
    const { deleted, hasMore } = await deleteOne(db, table, limit);
    total += deleted;
    if (!hasMore) break;
    await delay(performance.now() - begun, undefined, { signal }).catch(() => undefined);
  }
  return total;
}

async function deleteOne(db: Database, table: OldRows, limit: number): Promise<{ deleted: number; hasMore: boolean }> {
  return retryOnConflict(db, async (tx) => {
    const [row] = await tx.query<{ position: string | null }>(LOCK_POSITION, [table.name]);
    if (row === undefined) return { deleted: 0, hasMore: false };
    const { read, deleted, position } = await table.deleteBatch(tx, row.position, limit);
    tx.enqueue(MOVE_POSITION, [table.name, position]);
    // A full batch of rows with one time that must stay cannot be skipped; the next day starts over.
    return { deleted, hasMore: read >= limit && (deleted > 0 || position !== row.position) };
  });
}

/** Lower and upper bound of all ids. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const FIRST = {
  uuid: FIRST_ID,
  timestamptz: '-infinity',
  date: '-infinity',
  bigint: '-9223372036854775808',
};

export interface OldRowsInOrder {
  /** Default: the name of the table. */
  readonly name?: string;
  readonly table: string;
  /** An indexed column that is in the order of time: a UUID v7, a time, or its milliseconds. */
  readonly order: string;
  readonly orderType: keyof typeof FIRST;
  /** Whether one row at most has each value of the column. Default: it is a UUID. */
  readonly isUnique?: boolean;
  /** The limit for old rows in the ordering column: rows before this id or time. */
  readonly before: string | number | Date;
  /** SQL condition on the row `old`: whether it may be deleted. Its parameters start with $4. */
  readonly deletable?: string;
  readonly values?: readonly unknown[];
  /** Additional common table expressions that use `gone`, the deleted rows with all columns. */
  readonly also?: string;
}

/**
 * Old rows in the order of a column. Rows that must stay, and rows stored later with an older id or time, are skipped
 * until the sweep starts over; the last batch moves the position to the end, so that a sweep without old rows reads
 * nothing.
 */
export function oldRowsInOrder(given: OldRowsInOrder): OldRows {
  const { name = given.table, table, order, orderType, before, deletable = 'true', values = [], also } = given;
  const { isUnique = orderType === 'uuid' } = given;
  // A batch may end between rows of one value, so the next one starts with it.
  const behind = isUnique ? '>' : '>=';
  const deleteBatch = inTransaction.onlyRow<DeletedBatch, [from: string | null, limit: number]>(
    `delete-old ${name}`,
    `with batch as materialized (
       select old.ctid as place, old.${order} as at, (${deletable}) as is_deletable from ${table} old
        where old.${order} ${behind} coalesce($1::text::${orderType}, '${FIRST[orderType]}') and old.${order} < $2::${orderType}
        order by old.${order} limit $3
     ), locked as materialized (
       select old.ctid as place from ${table} old
        where old.ctid = any(array(select place from batch where is_deletable)) and (${deletable}) for update skip locked
     ), gone as (
       delete from ${table} old where old.ctid = any(array(select place from locked)) returning old.*
     )${also === undefined ? '' : `, ${also}`}
     select count(*)::int as read, (select count(*) from gone)::int as deleted,
       (case when count(*) < $3 and count(*) filter (where is_deletable) = (select count(*) from gone)
          then greatest($1::text::${orderType}, $2::${orderType})
          else (select at from batch order by at desc limit 1) end)::text as position from batch`,
    (from, limit) => [from, before, limit, ...values],
  );
  return { name, deleteBatch };
}

/** The same in the order of `id`, a UUID v7. */
export function oldRowsById(
  table: string,
  before: Date,
  given: Pick<OldRowsInOrder, 'deletable' | 'values' | 'also'> = {},
): OldRows {
  return oldRowsInOrder({ table, order: 'id', orderType: 'uuid', before: firstIdAt(before), ...given });
}

export function firstIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}

const DAY_MS = 86_400_000;

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
