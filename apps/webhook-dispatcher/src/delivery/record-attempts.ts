import { groupCommit, type Database, type Transaction } from '@pay/persistence';
import { recordAttempts, type AttemptRecord } from './attempt-result-repository';
import { forgetGone, noteGone, recordEndpointResults } from '../endpoints/endpoint-health-repository';
import { endpointResults } from '../domain/breaker';
import { GONE_CONFIRMED_AFTER_SECONDS } from '../domain/delivery';

/** An attempt's result, and what it says about its endpoint. */
export interface AttemptReport extends AttemptRecord {
  readonly endpointId: string;
  /** The endpoint had said 410 before. */
  readonly wasGone: boolean;
  /** The endpoint's last word before this one was a failure. */
  readonly isFailing: boolean;
  readonly isProbe: boolean;
}

export interface Recorded {
  /** False when another process had claimed the delivery in the meantime: only the attempt was written. */
  readonly isOurs: boolean;
  /** This answer was the 410 that switched the endpoint off. */
  readonly switchedOff: boolean;
}

const BATCH = 200;
/** The shop has its event, and the slot is free; what a death in between costs is a repeated request. */
const RECORDED_EVERY_MS = 50;

export interface RecordDeps {
  readonly db: Pick<Database, 'transaction'>;
  readonly workerId: string;
  readonly timeScale: number;
  readonly newId: () => string;
}

/** Writes results together with those of other requests that ended meanwhile: few statements, whatever the number. */
export function attemptRecorder(deps: RecordDeps): (report: AttemptReport) => Promise<Recorded> {
  const { db, workerId, timeScale } = deps;
  return groupCommit({
    db,
    name: 'record attempts',
    maxItems: BATCH,
    atMostEveryMs: RECORDED_EVERY_MS,
    run: async (tx, reports: readonly AttemptReport[]) => {
      const ours = new Set<string>();
      recordAttempts(tx, workerId, reports, (taken) => taken.forEach((id) => ours.add(id)));
      const off = await recordGone(tx, reports, GONE_CONFIRMED_AFTER_SECONDS * timeScale);
      recordEndpointResults(tx, endpointResults(reports), deps);
      return () =>
        reports.map(({ deliveryId, endpointId, outcome }) => ({
          isOurs: ours.has(deliveryId),
          switchedOff: outcome === 'GONE' && off.has(endpointId),
        }));
    },
  });
}

async function recordGone(
  tx: Transaction,
  reports: readonly AttemptReport[],
  confirmedAfterSeconds: number,
): Promise<ReadonlySet<string>> {
  const gone = endpointsOf(reports.filter(({ outcome }) => outcome === 'GONE'));
  const alive = endpointsOf(
    reports.filter(({ httpStatus, outcome, wasGone }) => wasGone && httpStatus !== null && outcome !== 'GONE'),
  );
  if (alive.length > 0) await forgetGone(tx, alive);
  return new Set(gone.length > 0 ? await noteGone(tx, gone, confirmedAfterSeconds) : []);
}

const endpointsOf = (reports: readonly AttemptReport[]): string[] =>
  [...new Set(reports.map(({ endpointId }) => endpointId))].sort();
