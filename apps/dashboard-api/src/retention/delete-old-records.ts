import { daysBefore, deleteOldRows } from '@pay/persistence';
import { closedAlerts } from '../alerts/alert-repository';
import { oldSuites } from '../sandbox/test-cases/test-run-repository';
import { oldTestEndpointRequests, oldTestEndpointRules } from '../sandbox/test-endpoints/test-endpoint-repository';
import { endedInvitations, endedNumberProofs, endedPairings, oldAuditLog } from './retention-repository';
import type { ServiceDeps } from '../service-deps';

/** No request needs the result afterwards. The audit log is kept longer. */
const ENDED_DAYS = 90;

/** Requests that hosted test endpoints received. */
const TEST_REQUEST_DAYS = 1;

export interface DeleteOldRecordsDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  readonly recordRetentionDays: number;
}

export async function deleteOldRecords(
  { db, now, recordRetentionDays }: DeleteOldRecordsDeps,
  signal: AbortSignal,
): Promise<void> {
  const ended = daysBefore(now(), ENDED_DAYS);
  const stored = daysBefore(now(), TEST_REQUEST_DAYS);
  const tables = [
    ...[endedInvitations(ended), endedPairings(ended), endedNumberProofs(ended), oldSuites(ended)],
    ...[oldTestEndpointRequests(stored), oldTestEndpointRules(stored), closedAlerts(now())],
  ];
  await deleteOldRows(db, [oldAuditLog(daysBefore(now(), recordRetentionDays)), ...tables], signal);
}
