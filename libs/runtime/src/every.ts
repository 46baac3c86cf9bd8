import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './logger';
import type { Worker } from './worker';

export interface EveryOptions {
  readonly log: Logger;
  /** Part of the interval by which each wait differs at random, so that replicas drift apart. 0.1 unless given. */
  readonly jitter?: number;
}

/**
 * A worker that runs a task at once and then again and again, `intervalMs` after it ended. Runs never overlap; one that
 * fails is logged as `task.failed` and the next one comes all the same. The task gets the stop signal and is waited
 * for.
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
