import { daysBefore, deleteOldRows, type Database } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import { oldClaims } from './db/claims';
import { oldEarlySignals } from './db/evidence';

/** Texts that have not become evidence by then will not. */
const EARLY_SIGNAL_DAYS = 90;

export interface DeleteOldRecordsDeps {
  readonly db: Database;
  readonly log: Logger;
  readonly now: () => Date;
  readonly retention: {
    /** Claims are deleted this many days after they were submitted. */
    readonly claimDays: number;
  };
}

/** Deletes what is past its retention. */
export async function deleteOldRecords(
  { db, log, now, retention }: DeleteOldRecordsDeps,
  signal: AbortSignal,
): Promise<void> {
  const before = (days: number) => daysBefore(now(), days);
  const tables = [oldClaims(before(retention.claimDays)), oldEarlySignals(before(EARLY_SIGNAL_DAYS))];
  const deleted = await deleteOldRows(db, tables, signal);
  if (Object.keys(deleted).length > 0) log.info({ deleted }, 'records.deleted');
}
