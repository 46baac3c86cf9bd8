import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './logger';
import type { Worker } from './worker';

export interface EveryOptions {
  readonly log: Logger;
  /** Random part of the interval, so that replicas do not run at the same time. Default 0.1. */
  readonly jitter?: number;
}

/**
 * A worker that runs a task immediately and again `intervalMs` after each end; runs never overlap. A failed run is
 * logged as `task.failed`, and the stop waits for a run in progress.
 */
export function every(
  name: string,
  intervalMs: number,
  task: (signal: AbortSignal) => Promise<void>,
  { log, jitter = 0.1 }: EveryOptions,
): Worker {
  return {
    name,
    async run(signal) {
      const stopped = () => signal.aborted;
      while (!stopped()) {
        try {
          await task(signal);
        } catch (error) {
          if (!stopped()) log.error({ task: name, err: error }, 'task.failed');
        }
        const spread = 1 + jitter * (2 * Math.random() - 1);
        await delay(intervalMs * spread, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}
