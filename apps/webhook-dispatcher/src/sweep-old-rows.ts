import { deleteOldRows, firstIdAt, type Database } from '@pay/persistence';
import { endOverlaps } from './db/endpoint-changes';
import { heldDeliveries, oldDeliveries, oldEvents, oldRecoveries } from './db/retention';
import { longestAgo } from './domain/recovery';

export interface SweepDeps {
  readonly db: Database;
  readonly now: () => Date;
  readonly deliveryDays: number;
  readonly eventDays: number;
}

/** Gives up deliveries that were held for too long, then deletes what is past its time. */
export async function sweepOldRows(
  { db, now, deliveryDays, eventDays }: SweepDeps,
  signal: AbortSignal,
): Promise<void> {
  const keep = { now: now(), deliveryDays, eventDays };
  await deleteOldRows(
    db,
    [heldDeliveries(firstIdAt(longestAgo(keep.now))), oldDeliveries(keep), oldEvents(keep), oldRecoveries(keep)],
    signal,
  );
  await endOverlaps(db);
}
