import { daysBefore, deleteOldRows } from '@pay/persistence';
import { oldActivity } from '../activity/activity-repository';
import { oldClaims } from '../claims/claim-repository';
import { oldCopies } from '../intent-copies/intent-copy-repository';
import type { ServiceDeps } from '../service-deps';

export interface DeleteOldRecordsDeps extends Pick<ServiceDeps, 'db' | 'log' | 'now'> {
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
