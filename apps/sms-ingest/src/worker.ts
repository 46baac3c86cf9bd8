import type { Directory } from '@pay/directory';
import type { Messaging } from '@pay/messaging';
import { every, type Worker } from '@pay/runtime';
import { reannounceUndecided } from './decisions/reannounce-undecided';
import { recordDecision } from './decisions/record-decision';
import type { SmsMetrics } from './intake/sms-metrics';
import type { ServiceDeps } from './service-deps';

export interface WorkerDeps extends Pick<ServiceDeps, 'db' | 'log' | 'now'> {
  readonly messaging: Pick<Messaging, 'relay' | 'consumer' | 'publish' | 'reportConflict'>;
  readonly directory: Pick<Directory, 'controlConsumer' | 'resendWhenEmpty'>;
  readonly metrics: SmsMetrics;
}

/**
 * Decisions are collected because a transaction costs as much as twenty of them and no payment waits for their record.
 */
const RECORDED_EVERY_MS = 50;
const REANNOUNCE_INTERVAL_MS = 5_000;

/** All workers besides the HTTP servers. */
export function createWorkers(deps: WorkerDeps): Worker[] {
  const { messaging, directory, log } = deps;
  return [
    messaging.relay(),
    messaging.consumer({
      queue: 'sms-ingest.events',
      atMostEveryMs: RECORDED_EVERY_MS,
      handle: (tx, events) => {
        recordDecision(deps, tx, events);
        return Promise.resolve();
      },
    }),
    every('reannounce-undecided', REANNOUNCE_INTERVAL_MS, () => reannounceUndecided(deps), { log }),
    directory.controlConsumer(),
    directory.resendWhenEmpty(),
  ];
}
