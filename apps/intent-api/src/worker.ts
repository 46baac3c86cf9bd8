import { every, type Worker } from '@pay/runtime';
import { applyDecisions, lockDecided, type ApplyDecisionsDeps } from './decisions/apply-decisions';
import { deleteOldRecords, type DeleteOldRecordsDeps } from './retention/delete-old-records';
import { noteDevicesSeen } from './receivers/note-devices-seen';
import { addUpHourlyCounts } from './statistics/hourly-count-repository';
import type { ServiceDeps } from './service-deps';

export type WorkerDeps = Pick<ServiceDeps, 'messaging' | 'now' | 'directory'> &
  ApplyDecisionsDeps &
  DeleteOldRecordsDeps;

const RETENTION_INTERVAL_MS = 60_000;
/** At the highest load several hundred changes are written per interval. */
const ADD_UP_INTERVAL_MS = 5_000;

export function createWorkers(deps: WorkerDeps): Worker[] {
  const { messaging, directory, log } = deps;
  return [
    messaging.relay(),
    messaging.consumer({
      queue: 'intent-api.events',
      prepare: lockDecided,
      handle: async (tx, events, intents) => {
        const applied = await applyDecisions(deps, tx, events, intents);
        noteDevicesSeen(deps, tx, events);
        return applied;
      },
    }),
    every('delete-old-records', RETENTION_INTERVAL_MS, (signal) => deleteOldRecords(deps, signal), { log }),
    every('add-up-hourly-counts', ADD_UP_INTERVAL_MS, () => addUpHourlyCounts(deps.db), { log }),
    directory.controlConsumer(),
    directory.resendWhenEmpty(),
    directory.reportKeyUse(),
  ];
}
