import { command, mapped, statement, type Database, type Transaction } from '@pay/persistence';
import type { Gauge, Logger } from '@pay/runtime';

/** Timeline of the server: increases with each promotion. It is read from memory and permitted to every role. */
const TIMELINE = `('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::integer`;

/** Never below the last recorded epoch: an upgrade by pg_upgrade restarts the timeline at 1. */
const epochAbove = (recorded: string, base: string) => `greatest(${recorded}, ${base} + ${TIMELINE})`;
const EPOCH = epochAbove('epoch', 'base');

/** SQL expression for the epoch of the rows that the statement writes. */
export const PUBLISHER_EPOCH = `(select ${EPOCH} from publisher_epoch)`;

// After a restored dump, server, database or table differ from the stored ones and the timeline restarts at 1. The base
// then becomes the seconds since 2026, which is greater than any earlier epoch.
const PLACE = `(select system_identifier::text from pg_control_system()) || '/' ||
  (select oid::text from pg_database where datname = current_database()) || '/' || 'publisher_epoch'::regclass::oid::text`;
const NEXT = epochAbove('checked.epoch', 'checked.base');
const CHECK = statement(
  'publisher-epoch-check',
  `with was as (select base, place, epoch, ${PLACE} as here from publisher_epoch for update),
   checked as (
     select epoch, here, case when place is null or place = here then base
       else greatest(base + 1000, epoch, extract(epoch from clock_timestamp() - '2026-01-01Z'::timestamptz)::integer) end as base
     from was),
   written as (
     update publisher_epoch set base = checked.base, place = checked.here, epoch = ${NEXT}
     from checked
     where (publisher_epoch.place, publisher_epoch.epoch) is distinct from (checked.here, ${NEXT})
     returning publisher_epoch.epoch as now, checked.epoch as before)
   select now, before from written`,
);
const LOOK = statement(
  'publisher-epoch-look',
  `select ${EPOCH} as epoch, (place, epoch) is distinct from (${PLACE}, ${EPOCH}) as changed from publisher_epoch`,
);

export interface EpochCheckDeps {
  readonly db: Database;
  readonly log: Logger;
  readonly gauge: Pick<Gauge, 'set'>;
  /** Runs once per new epoch, in the transaction that records it. Not for the first epoch of a database. */
  readonly onNewEpoch?: ((tx: Transaction) => Promise<unknown>) | undefined;
}

/**
 * Records the server and epoch in which this service writes. After a restored dump it raises the base; after a
 * promotion the epoch has already increased and is only reported.
 */
export async function checkEpoch({ db, log, gauge, onNewEpoch }: EpochCheckDeps): Promise<void> {
  // Usually nothing has changed, and the check writes nothing.
  const [seen] = await db.query<{ epoch: number; changed: boolean }>(LOOK);
  gauge.set(seen?.epoch ?? Number.NaN);
  if (seen?.changed === false) return;
  const changed = await db.transaction(async (tx) => {
    const [row] = await tx.query<{ now: number; before: number | null }>(CHECK);
    if (row === undefined || row.before === null || row.before === row.now) return undefined;
    await onNewEpoch?.(tx);
    return row;
  });
  gauge.set(await readEpoch(db));
  if (changed) log.error({ epoch: changed.now, epochBefore: changed.before }, 'publisher_epoch.changed');
}

export const readEpoch = mapped(({ epoch }: { readonly epoch: number }) => epoch).onlyRow(
  'publisher-epoch-read',
  `select ${PUBLISHER_EPOCH} as epoch`,
);

/**
 * Starts a new epoch manually for cases that cannot be detected: rows restored into existing tables, or a second
 * standby promoted to the same timeline.
 */
export const raiseEpoch = command('publisher-epoch-raise', 'update publisher_epoch set base = base + 1');
