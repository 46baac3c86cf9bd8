import type { Logger } from './logger';
import type { Worker } from './worker';

export type Check = () => Promise<void> | void;

/** Longer than a healthy ping by far, shorter than a probe's own patience. */
const CHECK_TIMEOUT_MS = 2_000;

const STOPPING = ['stopping'];

export interface Readiness {
  /** Names of what keeps the process from taking work; empty when it is ready. */
  failing(): Promise<readonly string[]>;
  /** From now on the process is not ready, whatever the checks say. */
  turnOff(): void;
}

/**
 * Joins the checks of resources with the workers' own word. Concurrent questions share one answer; changes are logged.
 */
export function readiness(deps: {
  log: Logger;
  workers: readonly Worker[];
  checks: Readonly<Record<string, Check>>;
}): Readiness {
  let off = false;
  let asked: Promise<readonly string[]> | undefined;
  let last: string | undefined;

  async function ask(): Promise<readonly string[]> {
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
  }

  return {
    async failing() {
      if (off) return STOPPING;
      asked ??= ask().finally(() => (asked = undefined));
      return asked.then((failing) => (off ? STOPPING : failing));
    },
    turnOff() {
      off = true;
    },
  };
}

async function passes(check: Check): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, CHECK_TIMEOUT_MS, false);
  });
  try {
    return await Promise.race([Promise.resolve(check()).then(() => true), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
