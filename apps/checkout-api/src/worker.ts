import { storeLastSeen } from '@pay/directory';
import { every, type Worker } from '@pay/runtime';
import { deleteOldRecords, type DeleteOldRecordsDeps } from './retention/delete-old-records';
import { recordChoices } from './activity/record-choices';
import { projectIntents, type ProjectIntentsDeps } from './intent-copies/project-intents';
import { reannounceUndecided } from './claims/reannounce-undecided';
import { settleClaims } from './claims/settle-claims';
import type { ServiceDeps } from './service-deps';

export type WorkerDeps = Pick<ServiceDeps, 'messaging' | 'now' | 'directory'> &
  ProjectIntentsDeps &
  DeleteOldRecordsDeps;

/**
 * Gathers events, because a transaction costs as much as twenty of them. No payment waits for this copy, and the delay
 * is not visible on the page.
 */
const NOTIFY_EVERY_MS = 50;
/** Number of events in that time at the maximum rate of new intents. */
const MOST_TOGETHER = 150;
const RETENTION_INTERVAL_MS = 60_000;
const REANNOUNCE_INTERVAL_MS = 5_000;

export function createWorkers(deps: WorkerDeps): Worker[] {
  const { messaging, directory, log } = deps;
  return [
    messaging.relay(),
    messaging.consumer({
      queue: 'checkout-api.events',
      batchSize: MOST_TOGETHER,
      atMostEveryMs: NOTIFY_EVERY_MS,
      async handle(tx, events) {
        projectIntents(deps, tx, events);
        recordChoices(tx, events);
        storeLastSeen(tx, events, deps.now());
        await settleClaims(deps, tx, events);
      },
    }),
    every('reannounce-undecided', REANNOUNCE_INTERVAL_MS, () => reannounceUndecided(deps), { log }),
    every('delete-old-records', RETENTION_INTERVAL_MS, (signal) => deleteOldRecords(deps, signal), { log }),
    directory.controlConsumer(),
    directory.resendWhenEmpty(),
  ];
}
