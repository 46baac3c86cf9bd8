import type { Directory } from '@pay/directory';
import type { Messaging } from '@pay/messaging';
import type { Worker } from '@pay/runtime';
import { applyDecisions, lockDecided, type ApplyDecisionsDeps } from './apply-decisions';
import { noteDevicesSeen } from './note-devices-seen';

export interface WorkerDeps extends ApplyDecisionsDeps {
  readonly messaging: Messaging;
  readonly directory: Directory;
  readonly now: () => Date;
}

/** Everything that runs beside the HTTP servers. */
export function createWorkers(deps: WorkerDeps): Worker[] {
  const { messaging, directory } = deps;
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
    directory.controlConsumer(),
    directory.resendWhenEmpty(),
    directory.reportKeyUse(),
  ];
}
