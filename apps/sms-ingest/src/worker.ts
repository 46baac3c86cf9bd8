import type { Directory } from '@pay/directory';
import type { Messaging } from '@pay/messaging';
import type { Worker } from '@pay/runtime';
import { followDisabledDevices } from './devices/follow-disabled-devices';
import { recordDecision } from './decisions/record-decision';
import type { SmsMetrics } from './sms-metrics';

export interface WorkerDeps {
  readonly messaging: Pick<Messaging, 'relay' | 'consumer' | 'reportConflict'>;
  readonly directory: Pick<Directory, 'controlConsumer' | 'resendWhenEmpty'>;
  readonly metrics: SmsMetrics;
}

/** A transaction costs as much as twenty decisions, and the payment does not wait for their record beside the text. */
const RECORDED_EVERY_MS = 50;

/** Everything that runs beside the HTTP servers. */
export function createWorkers({ messaging, directory, metrics }: WorkerDeps): Worker[] {
  return [
    messaging.relay(),
    messaging.consumer({
      queue: 'sms-ingest.events',
      atMostEveryMs: RECORDED_EVERY_MS,
      handle: (tx, events) => {
        recordDecision({ metrics, messaging }, tx, events);
        return Promise.resolve();
      },
    }),
    directory.controlConsumer(followDisabledDevices),
    directory.resendWhenEmpty(),
  ];
}
