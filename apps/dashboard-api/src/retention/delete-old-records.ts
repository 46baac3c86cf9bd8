import { daysBefore, deleteOldRows, type Database } from '@pay/persistence';
import { endedInvitations, endedNumberProofs, endedPairings, oldAuditLog } from './retention-repository';

/** After that nobody asks how it ended; the audit log says who did what for longer. */
const ENDED_DAYS = 90;

export interface DeleteOldRecordsDeps {
  readonly db: Database;
  readonly now: () => Date;
  readonly recordRetentionDays: number;
}

/** Deletes the audit log past its retention, and invitations, pairings and number proofs that ended long ago. */
export async function deleteOldRecords(
  { db, now, recordRetentionDays }: DeleteOldRecordsDeps,
  signal: AbortSignal,
): Promise<void> {
  const ended = daysBefore(now(), ENDED_DAYS);
  const tables = [endedInvitations(ended), endedPairings(ended), endedNumberProofs(ended)];
  await deleteOldRows(db, [oldAuditLog(daysBefore(now(), recordRetentionDays)), ...tables], signal);
}
