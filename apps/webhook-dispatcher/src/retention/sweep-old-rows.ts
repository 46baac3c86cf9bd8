import { daysBefore, deleteOldRows, firstIdAt } from '@pay/persistence';
import { endOverlaps } from '../endpoints/endpoint-change-repository';
import { heldDeliveries, oldDeliveries, oldEvents, oldRecoveries } from './retention-repository';
import { oldSteps } from '../sandbox/test-clock-step-repository';
import { longestAgo } from '../domain/recovery';
import type { ServiceDeps } from '../service-deps';

/** Far longer than a step of a test clock, which takes minutes. */
const STEP_DAYS = 7;

export interface SweepDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  readonly deliveryDays: number;
  readonly eventDays: number;
}

/** Held deliveries fail first, so that they can be deleted later. */
export async function sweepOldRows(
  { db, now, deliveryDays, eventDays }: SweepDeps,
  signal: AbortSignal,
): Promise<void> {
  const keep = { now: now(), deliveryDays, eventDays };
  await deleteOldRows(
    db,
    [
      ...[heldDeliveries(firstIdAt(longestAgo(keep.now))), oldDeliveries(keep), oldEvents(keep), oldRecoveries(keep)],
      oldSteps(daysBefore(keep.now, STEP_DAYS)),
    ],
    signal,
  );
  await endOverlaps(db);
}
