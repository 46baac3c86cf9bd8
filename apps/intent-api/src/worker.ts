import type { Directory } from '@pay/directory';
import type { Messaging } from '@pay/messaging';
import type { Worker } from '@pay/runtime';
import { applyDecisions, type ApplyDecisionsDeps } from './apply-decisions';

export interface WorkerDeps extends ApplyDecisionsDeps {
  readonly messaging: Messaging;
  readonly directory: Directory;
}

/** Everything that runs beside the HTTP servers. */
export function createWorkers(deps: WorkerDeps): Worker[] {
  const { messaging, directory } = deps;
  return [
    messaging.relay(),
    messaging.consumer({ queue: 'intent-api.events', handle: (tx, events) => applyDecisions(deps, tx, events) }),
    directory.controlConsumer(),
    directory.resendWhenEmpty(),
  ];
}
