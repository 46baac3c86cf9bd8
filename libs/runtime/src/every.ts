import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './logger';
import type { Worker } from './worker';

/** Random part of the interval, so that replicas do not run at the same time. */
const JITTER = 0.1;

/**
 * A worker that runs a task immediately and again `intervalMs` after each end; runs never overlap. A failed run is
 * logged as `task.failed`, and the stop waits for a run in progress, and for `isDone` if it is given.
 */
export function every(
  name: string,
  intervalMs: number,
  task: (signal: AbortSignal) => Promise<void>,
  { log, isDone = () => true }: { readonly log: Logger; readonly isDone?: () => boolean },
): Worker {
  return {
    name,
    async run(signal) {
      const stopped = () => signal.aborted && isDone();
      while (!stopped()) {
        try {
          await task(signal);
        } catch (error) {
          if (!signal.aborted) log.error({ task: name, err: error }, 'task.failed');
        }
        if (stopped()) return;
        const spread = 1 + JITTER * (2 * Math.random() - 1);
        await delay(intervalMs * spread, undefined, signal.aborted ? {} : { signal }).catch(() => undefined);
      }
    },
  };
}
