import type { Logger } from './logger';

/**
 * Something that runs as long as the process: a server, a consumer, a timer.
 * `run` resolves when it has stopped after the signal aborted. Resolving earlier, or rejecting, means that it is dead.
 */
export interface Worker {
  readonly name: string;
  run(signal: AbortSignal): Promise<void>;
  /** Called before the signal aborts, while all other workers still run; the stop waits for it. */
  beforeStop?(): Promise<void>;
  /** False while it cannot do its work; the process is not ready then. */
  isReady?(): boolean;
  /** Where a server listens, as soon as it does. */
  address?(): { readonly port: number } | undefined;
}

/**
 * Resolves when the signal aborts, or at once when it already has: an `abort` listener alone would wait for ever then.
 */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Runs every worker and resolves when all have ended, with the names of those that died or failed to stop cleanly. */
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
        log.fatal({ worker: worker.name, err: error }, signal.aborted ? 'worker.stop_failed' : 'worker.died');
      }
      failed.push(worker.name);
      onDeath(worker.name);
    }),
  );
  return failed;
}
