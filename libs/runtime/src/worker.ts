import type { Logger } from './logger';

/**
 * A part that runs as long as the process: a server, a consumer, a timer. `run` resolves after the signal aborts and
 * the worker has stopped; if it settles earlier, the worker has failed.
 */
export interface Worker {
  readonly name: string;
  run(signal: AbortSignal): Promise<void>;
  /** Called before the signal aborts, while all other workers still run. The stop waits for it. */
  beforeStop?(): Promise<void>;
  /** False while the worker cannot work; the process is not ready then. */
  isReady?(): boolean;
  /** The port of a server, after it listens. */
  address?(): { readonly port: number } | undefined;
}

/**
 * Resolves when the signal aborts, or immediately if it already has: an `abort` listener alone would then wait forever.
 */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Runs all workers and resolves when they have ended, with the names of those that failed. */
export async function supervise(
  { log, onDeath }: { log: Logger; onDeath: (worker: string) => void },
  workers: readonly Worker[],
  signal: AbortSignal,
): Promise<string[]> {
  const failed: string[] = [];
  await Promise.all(
    workers.map(async (worker) => {
      try {
        await worker.run(signal);
        if (signal.aborted) return;
        log.fatal({ worker: worker.name }, 'worker.ended');
      } catch (error) {
        log.fatal({ worker: worker.name, err: error }, signal.aborted ? 'worker.stop_failed' : 'worker.failed');
      }
      failed.push(worker.name);
      onDeath(worker.name);
    }),
  );
  return failed;
}
