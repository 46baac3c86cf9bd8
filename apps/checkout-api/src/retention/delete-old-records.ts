import { daysBefore, deleteOldRows, type Database } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import { oldActivity } from '../activity/activity-repository';
import { oldClaims } from '../claims/claim-repository';
import { oldCopies } from '../intent-copies/intent-copy-repository';

export interface DeleteOldRecordsDeps {
  readonly db: Database;
  readonly log: Logger;
  readonly now: () => Date;
  readonly retention: {
    /** Claims are deleted this many days after they were submitted. */
    readonly claimDays: number;
    /** Copies of intents are deleted this many days after the intent was created, and not before it has ended. */
    readonly copyDays: number;
  };
}

/** Deletes claims, copies of intents and checkout activity after their retention period. */
export async function deleteOldRecords(
  { db, log, now, retention }: DeleteOldRecordsDeps,
  signal: AbortSignal,
): Promise<void> {
  const before = (days: number) => daysBefore(now(), days);
  const copiesBefore = before(retention.copyDays);
  const tables = [oldClaims(before(retention.claimDays)), oldCopies(copiesBefore), oldActivity(copiesBefore)];
  const deleted = await deleteOldRows(db, tables, signal);
  if (Object.keys(deleted).length > 0) log.info({ deleted }, 'records.deleted');
}
