import type { Directory } from '@pay/directory';
import type { Messaging } from '@pay/messaging';
import type { Database } from '@pay/persistence';
import { every, type Logger, type Worker } from '@pay/runtime';
import { announceDevicesSeen } from './announce-devices-seen';
import { recordDecision } from './record-decision';
import type { SmsMetrics } from './sms-metrics';

const ANNOUNCE_INTERVAL_MS = 1_000;

export interface WorkerDeps {
  readonly db: Pick<Database, 'transaction'>;
  readonly messaging: Pick<Messaging, 'relay' | 'consumer' | 'publish'>;
  readonly directory: Pick<Directory, 'controlConsumer' | 'resendWhenEmpty'>;
  readonly metrics: SmsMetrics;
  readonly log: Logger;
  readonly now: () => Date;
}

/** Everything that runs beside the HTTP servers. */
export function createWorkers(deps: WorkerDeps): Worker[] {
  const { messaging, directory, metrics, log } = deps;
  return [
    messaging.relay(),
    messaging.consumer({
      queue: 'sms-ingest.events',
      handle: (tx, events) => {
        recordDecision({ metrics }, tx, events);
        return Promise.resolve();
      },
    }),
    every('device-announcements', ANNOUNCE_INTERVAL_MS, () => announceDevicesSeen(deps), { log }),
    directory.controlConsumer(),
    directory.resendWhenEmpty(),
  ];
}
