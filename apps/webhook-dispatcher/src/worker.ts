import { every, type Worker } from '@pay/runtime';
import { addUpDeliveryCounts } from './delivery/delivery-count-repository';
import type { Deliverer } from './delivery/deliver-due';
import { disableFailingEndpoints, type DisableFailingDeps } from './endpoints/disable-failing-endpoints';
import { FAIL_OPEN_TASK, failOpenDeliveries } from './endpoints/fail-open-deliveries';
import { endpointsOfBatch, planDeliveries, type PlanDeps } from './delivery/plan-deliveries';
import { probeEarly } from './recovery/probe-early';
import type { Recoveries } from './recovery/run-recoveries';
import { sweepOldRows, type SweepDeps } from './retention/sweep-old-rows';
import type { ServiceDeps } from './service-deps';

export interface WorkerDeps
  extends PlanDeps, DisableFailingDeps, SweepDeps, Pick<ServiceDeps, 'messaging' | 'directory'> {
  readonly db: SweepDeps['db'];
  readonly deliverer: Deliverer;
  readonly recoveries: Pick<Recoveries, 'worker'>;
}

const PROBE_INTERVAL_MS = 1_000;
const DISABLE_INTERVAL_MS = 60_000;
/** Short, so that the rest of a large deletion follows soon. */
const FAIL_OPEN_INTERVAL_MS = 1_000;
const SWEEP_INTERVAL_MS = 60_000;
/** At the highest load a few thousand changes are written per interval. */
const ADD_UP_INTERVAL_MS = 5_000;

export function createWorkers(deps: WorkerDeps): Worker[] {
  const { messaging, directory, deliverer, recoveries, log } = deps;
  return [
    messaging.relay(),
    messaging.consumer({
      queue: 'webhook-dispatcher.events',
      prepare: (tx, events) => endpointsOfBatch(deps, tx, events),
      handle: (tx, events, endpoints) => {
        planDeliveries(deps, tx, events, endpoints);
        return Promise.resolve();
      },
    }),
    deliverer.worker,
    recoveries.worker,
    every('probe-early', PROBE_INTERVAL_MS, () => probeEarly(deps), { log }),
    every('disable-failing-endpoints', DISABLE_INTERVAL_MS, () => disableFailingEndpoints(deps), { log }),
    every(FAIL_OPEN_TASK, FAIL_OPEN_INTERVAL_MS, (signal) => failOpenDeliveries(deps, signal), { log }),
    every('sweep-old-rows', SWEEP_INTERVAL_MS, (signal) => sweepOldRows(deps, signal), { log }),
    every('add-up-delivery-counts', ADD_UP_INTERVAL_MS, () => addUpDeliveryCounts(deps.db), { log }),
    directory.controlConsumer(),
    directory.resendWhenEmpty(),
    directory.reportKeyUse(),
  ];
}
