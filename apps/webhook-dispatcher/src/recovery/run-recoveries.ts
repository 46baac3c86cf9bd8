import { FIRST_ID, type Database, type Transaction } from '@pay/persistence';
import { failpoint, type Logger, type Worker } from '@pay/runtime';
import { createWakeUp } from '../delivery/wake-up';
import { planMissed, pullForward, wakeResting } from './due-again-repository';
import { positionBefore } from '../feed/event-repository';
import { noteProgress, takeRecovery, type OpenRecovery, type Progress } from './recovery-repository';

/** Rows per transaction. Small, so that locks are short. */
const BATCH = 500;
/**
 * Rows scanned for deliveries with attempts. Must exceed the number that can share one time, or the next scan would
 * start at the same position.
 */
const STRETCH = 5_000;

export interface RecoveriesDeps {
  readonly db: Pick<Database, 'transaction'>;
  readonly log: Logger;
  readonly pollMs: number;
  readonly poke: () => void;
}

export interface Recoveries {
  readonly wake: () => void;
  readonly worker: Worker;
}

/**
 * One batch per transaction, together with its position, so that any process continues after a crash. The slots of the
 * endpoint limit the sending rate.
 */
export function createRecoveries(deps: RecoveriesDeps): Recoveries {
  const { db, log, pollMs, poke } = deps;
  const wakeUp = createWakeUp();

  /** False if there is no recovery to continue. */
  const runBatch = async (): Promise<boolean> => {
    const isDone = await db.transaction(async (tx) => {
      const recovery = await takeRecovery(tx);
      if (recovery === undefined) return true;
      const progress = await advance(tx, recovery);
      await noteProgress(tx, recovery.id, progress);
      await failpoint('webhook.recovery-before-commit');
      return false;
    });
    if (!isDone) poke();
    return !isDone;
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    signal.addEventListener('abort', wakeUp.wake, { once: true });
    while (!signal.aborted) {
      const isMore = await runBatch().catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, 'recovery.interrupted');
        return false;
      });
      if (!isMore) await wakeUp.wait(pollMs);
    }
  };

  return { wake: wakeUp.wake, worker: { name: 'run-recoveries', run } };
}

async function advance(tx: Transaction, recovery: OpenRecovery): Promise<Progress> {
  if (recovery.isVoid) return { isFinished: true };
  if (recovery.kind === 'CAME_BACK') return advanceWaiting(tx, recovery);
  return recovery.phase === 'RESTING' ? advanceResting(tx, recovery) : advanceMissed(tx, recovery);
}

async function advanceWaiting(tx: Transaction, recovery: OpenRecovery): Promise<Progress> {
  const { count, seen, lastAt } = await pullForward(tx, recovery, STRETCH);
  return { positionAt: lastAt, redelivered: count, isFinished: seen < STRETCH || lastAt === recovery.positionAt };
}

async function advanceResting(tx: Transaction, recovery: OpenRecovery): Promise<Progress> {
  const { endpointId, kind, since, positionId } = recovery;
  const withFailed = kind === 'ASKED';
  // No id bounds the deliveries created since a time: ids contain the times of events, which may be much earlier.
  const afterId = positionId ?? FIRST_ID;
  const { count, lastId } = await wakeResting(tx, {
    endpointId,
    afterId,
    withFailed,
    since,
    limit: BATCH,
  });
  const progress = { positionId: lastId, redelivered: count };
  if (count === BATCH) return progress;
  return kind === 'ASKED' ? { ...progress, phase: 'MISSED' } : { ...progress, isFinished: true };
}

async function advanceMissed(tx: Transaction, recovery: OpenRecovery): Promise<Progress> {
  const { endpointId, merchantId, environment, eventTypes, since } = recovery;
  const after = recovery.position ?? (await positionBefore(tx, { merchantId, environment }, since));
  const stretch = { endpointId, merchantId, environment, eventTypes, after, limit: BATCH };
  const { seen, created, lastPosition } = await planMissed(tx, stretch);
  return { position: lastPosition ?? after, created, isFinished: seen < BATCH };
}
