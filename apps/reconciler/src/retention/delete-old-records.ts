import { daysBefore, deleteOldRows } from '@pay/persistence';
import { oldChainEntries, type CutDecisionsDeps } from './cut-decisions';
import { oldClaims } from '../matching/claim-repository';
import { oldEarlySignals } from '../matching/evidence-repository';
import { oldSteps } from '../expiry/test-clock-step-repository';
import { oldDisputes, oldMatches, oldUnpaidIntents } from './retention-repository';
import type { ServiceDeps } from '../service-deps';

/** Texts that are not evidence by then will never be. */
const EARLY_SIGNAL_DAYS = 90;
/** A test clock step takes minutes. */
const STEP_DAYS = 7;

export interface DeleteOldRecordsDeps extends CutDecisionsDeps, Pick<ServiceDeps, 'db' | 'now'> {
  readonly retention: {
    /** Claims are deleted this many days after they were submitted. */
    readonly claimDays: number;
    /** Decisions and their facts are deleted this many days after the last decision. */
    readonly recordDays: number;
  };
}

/** Deletes records past their retention, referencing rows first. */
export async function deleteOldRecords(deps: DeleteOldRecordsDeps, signal: AbortSignal): Promise<void> {
  const { db, log, now, retention } = deps;
  const at = now();
  const records = daysBefore(at, retention.recordDays);
  const tables = [
    oldClaims(daysBefore(at, retention.claimDays)),
    oldEarlySignals(daysBefore(at, EARLY_SIGNAL_DAYS)),
    oldSteps(daysBefore(at, STEP_DAYS)),
    oldDisputes(records),
    oldChainEntries(deps, records),
    oldMatches(records),
    oldUnpaidIntents(records),
  ];
  const deleted = await deleteOldRows(db, tables, signal);
  if (Object.keys(deleted).length > 0) log.info({ deleted }, 'records.deleted');
}
