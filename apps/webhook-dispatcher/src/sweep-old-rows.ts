import type { Database } from '@pay/persistence';
import { endOverlaps } from './db/endpoint-changes';
import { deleteEnded, deleteEvents, deleteRecoveries, giveUpHeld } from './db/retention';
import { daysBefore, idBefore, longestAgo } from './domain/recovery';

const BATCH = 1_000;
/** A run ends after this many batches even if there is more: the next run is a minute away. */
const MOST_BATCHES = 50;

export interface SweepDeps {
  readonly db: Database;
  readonly now: () => Date;
  readonly deliveryDays: number;
  readonly eventDays: number;
}

/** Deletes what is past its time, in small transactions; gives up what has been held for too long. */
export async function sweepOldRows(
  { db, now, deliveryDays, eventDays }: SweepDeps,
  signal: AbortSignal,
): Promise<void> {
  const inBatches = async (runOne: () => Promise<number>): Promise<void> => {
    for (let batch = 0; batch < MOST_BATCHES && !signal.aborted; batch += 1) if ((await runOne()) < BATCH) return;
  };
  const ended = daysBefore(now(), deliveryDays);
  await inBatches(() => giveUpHeld(db, idBefore(longestAgo(now())), BATCH));
  await inBatches(() => deleteEnded(db, idBefore(ended), ended, BATCH));
  await inBatches(() => deleteEvents(db, daysBefore(now(), eventDays), BATCH));
  await deleteRecoveries(db, idBefore(daysBefore(now(), eventDays)));
  await endOverlaps(db);
}
