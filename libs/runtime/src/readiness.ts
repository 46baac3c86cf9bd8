import { inTime } from './in-time';
import type { Logger } from './logger';
import { onceAtATime } from './once-at-a-time';
import type { Worker } from './worker';

export type Check = () => Promise<void> | void;

/** Much longer than a healthy ping, and shorter than the timeout of a probe. */
const CHECK_TIMEOUT_MS = 2_000;

const STOPPING = ['stopping'];

export interface Readiness {
  /** Names of the failing checks; empty if the process is ready. */
  failing(): Promise<readonly string[]>;
  /** The process is not ready any more, whatever the result of its checks. */
  turnOff(): void;
}

/** Combines the checks of resources and workers. Concurrent requests share one result; changes are logged. */
export function readiness(deps: {
  log: Logger;
  workers: readonly Worker[];
  checks: Readonly<Record<string, Check>>;
}): Readiness {
  let off = false;
  let last: string | undefined;

  const ask = onceAtATime(async () => {
    const outcomes = await Promise.all(
      Object.entries(deps.checks).map(async ([name, check]) => ((await passes(check)) ? undefined : name)),
    );
    const failing = [
      ...outcomes.filter((name) => name !== undefined),
      ...deps.workers.filter((worker) => worker.isReady?.() === false).map((worker) => worker.name),
    ];
    const summary = failing.join();
    if (summary !== last && !off) {
      if (failing.length > 0) deps.log.warn({ failing }, 'service.unready');
      else deps.log.info('service.ready');
      last = summary;
    }
    return failing;
  });

  return {
    async failing() {
      if (off) return STOPPING;
      return ask().then((failing) => (off ? STOPPING : failing));
    },
    turnOff() {
      off = true;
    },
  };
}

async function passes(check: Check): Promise<boolean> {
  try {
    await inTime(Promise.resolve(check()), CHECK_TIMEOUT_MS);
    return true;
  } catch {
    return false;
  }
}
