import { groupCommit, type Database, type Transaction } from '@pay/persistence';
import { recordAttempts, type AttemptRecord, type StoredResult } from './attempt-result-repository';
import { forgetGone, noteGone, recordEndpointResults } from '../endpoints/endpoint-health-repository';
import { endpointResults, receiverKey, type Receiver } from '../domain/breaker';
import { GONE_CONFIRMED_AFTER_SECONDS } from '../domain/delivery';

export interface AttemptReport extends AttemptRecord {
  /** True if the endpoint had returned 410 before. */
  readonly wasGone: boolean;
  /** True if the previous result of the endpoint was a failure. */
  readonly isFailing: boolean;
}

export interface Recorded {
  /** Undefined if another process had claimed the delivery. Then only the attempt was stored. */
  readonly stored: Pick<StoredResult, 'status' | 'waitSeconds'> | undefined;
  /** True if this 410 disabled the endpoint. */
  readonly switchedOff: boolean;
}

const BATCH = 200;
/**
 * The shop has already received the event and the slot is free, so a crash before the commit causes only a repeated
 * request.
 */
const RECORDED_EVERY_MS = 50;

export interface RecordDeps {
  readonly db: Pick<Database, 'transaction'>;
  readonly workerId: string;
  readonly timeScale: number;
  readonly newId: () => string;
}

/** Stores the results of many requests in a few statements. */
export function attemptRecorder(deps: RecordDeps): (report: AttemptReport) => Promise<Recorded> {
  const { db, workerId, timeScale } = deps;
  return groupCommit({
    db,
    name: 'record attempts',
    maxItems: BATCH,
    atMostEveryMs: RECORDED_EVERY_MS,
    run: async (tx, reports: readonly AttemptReport[]) => {
      const stored = new Map<string, StoredResult>();
      recordAttempts(tx, workerId, reports, (results) => results.forEach((each) => stored.set(each.id, each)));
      const off = await recordGone(tx, reports, GONE_CONFIRMED_AFTER_SECONDS * timeScale);
      recordEndpointResults(tx, endpointResults(reports), deps);
      return () =>
        reports.map((report) => ({
          stored: stored.get(report.deliveryId),
          switchedOff: report.outcome === 'GONE' && off.has(receiverKey(report)),
        }));
    },
  });
}

async function recordGone(
  tx: Transaction,
  reports: readonly AttemptReport[],
  confirmedAfterSeconds: number,
): Promise<ReadonlySet<string>> {
  const gone = receiversOf(reports.filter(({ outcome }) => outcome === 'GONE'));
  const alive = receiversOf(
    reports.filter(({ httpStatus, outcome, wasGone }) => wasGone && httpStatus !== null && outcome !== 'GONE'),
  );
  if (alive.length > 0) await forgetGone(tx, alive);
  return new Set(gone.length > 0 ? (await noteGone(tx, gone, confirmedAfterSeconds)).map(receiverKey) : []);
}

const receiversOf = (reports: readonly AttemptReport[]): Receiver[] =>
  [...new Map(reports.map((report) => [receiverKey(report), report])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, report]) => report);
