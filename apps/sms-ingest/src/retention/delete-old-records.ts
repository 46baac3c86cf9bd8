import { RECORD_RETENTION } from '@pay/contracts';
import { daysBefore, deleteOldRows } from '@pay/persistence';
import { every, type Worker } from '@pay/runtime';
import { oldMissingSms, oldSmsEvents } from './retention-repository';
import type { ServiceDeps } from '../service-deps';

export interface DeleteOldRecordsDeps extends Pick<ServiceDeps, 'db' | 'log' | 'now'> {
  readonly recordRetentionDays: number;
}

const INTERVAL_MS = 60_000;

/** Deletes SMS events later than reconciler deletes its decisions about them. */
export async function deleteOldRecords(
  { db, log, now, recordRetentionDays }: DeleteOldRecordsDeps,
  signal: AbortSignal,
): Promise<void> {
  const before = daysBefore(now(), recordRetentionDays + RECORD_RETENTION.extraDaysOfFollowers);
  const deleted = await deleteOldRows(db, [oldMissingSms(before), oldSmsEvents(before)], signal);
  if (Object.keys(deleted).length > 0) log.info({ deleted }, 'records.deleted');
}

export function recordRetention(deps: DeleteOldRecordsDeps): Worker {
  return every('delete-old-records', INTERVAL_MS, (signal) => deleteOldRecords(deps, signal), { log: deps.log });
}
