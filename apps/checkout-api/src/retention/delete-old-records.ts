import { daysBefore, deleteOldRows } from '@pay/persistence';
import { oldActivity } from '../activity/activity-repository';
import { oldClaims } from '../claims/claim-repository';
import { oldCopies } from '../intent-copies/intent-copy-repository';
import type { ServiceDeps } from '../service-deps';

export interface DeleteOldRecordsDeps extends Pick<ServiceDeps, 'db' | 'log' | 'now'> {
  readonly retention: {
    /** Counted from the submission. */
    readonly claimDays: number;
    /** Counted from the creation of the intent. An intent that has not ended keeps its copy. */
    readonly copyDays: number;
  };
}

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
