import type { Directory } from '@pay/directory';
import type { Messaging } from '@pay/messaging';
import type { Worker } from '@pay/runtime';
import type { Deliverer } from './deliver-due';
import { endpointsOfBatch, planDeliveries, type PlanDeps } from './plan-deliveries';

export interface WorkerDeps extends PlanDeps {
  readonly messaging: Messaging;
  readonly directory: Directory;
  readonly deliverer: Deliverer;
}

/** Everything that runs beside the HTTP servers. */
export function createWorkers(deps: WorkerDeps): Worker[] {
  const { messaging, directory, deliverer } = deps;
  return [
    messaging.relay(),
    messaging.consumer({
      queue: 'webhook-dispatcher.events',
      prepare: endpointsOfBatch,
      handle: (tx, events, endpoints) => {
        planDeliveries(deps, tx, events, endpoints);
        return Promise.resolve();
      },
    }),
    deliverer.worker,
    directory.controlConsumer(),
    directory.resendWhenEmpty(),
    directory.reportKeyUse(),
  ];
}
