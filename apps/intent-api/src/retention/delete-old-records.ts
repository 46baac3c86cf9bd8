import { RECORD_RETENTION } from '@pay/contracts';
import { daysBefore, deleteOldRows } from '@pay/persistence';
import { oldDailyTotals, oldHourlyCounts, oldIntents } from './retention-repository';
import { oldSteps } from '../test-clock/test-clock-step-repository';
import type { ServiceDeps } from '../service-deps';

export interface DeleteOldRecordsDeps extends Pick<ServiceDeps, 'db' | 'log' | 'now'> {
  readonly retention: { readonly recordDays: number };
}

/** Far longer than a step of a test clock, which takes minutes. */
const STEP_DAYS = 7;

/** The reconciler deletes its records earlier, so that no decision refers to a deleted intent. */
export async function deleteOldRecords(
  { db, log, now, retention }: DeleteOldRecordsDeps,
  signal: AbortSignal,
): Promise<void> {
  const at = now();
  const before = daysBefore(at, retention.recordDays + RECORD_RETENTION.extraDaysOfFollowers);
  const deleted = await deleteOldRows(
    db,
    [oldIntents(before), oldDailyTotals(at), oldHourlyCounts(at), oldSteps(daysBefore(at, STEP_DAYS))],
    signal,
  );
  if (Object.keys(deleted).length > 0) log.info({ deleted }, 'records.deleted');
}
