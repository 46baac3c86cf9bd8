import { setTimeout as delay } from 'node:timers/promises';

export interface BackOff {
  /** The next wait in milliseconds. */
  next(): number;
  /** Waits; ends without an error when the signal aborts. */
  wait(signal?: AbortSignal): Promise<void>;
  /** The next wait is the first one again. */
  reset(): void;
}

/** Waits between attempts, which double from the first to the longest. */
export function backOff({ firstMs, longestMs }: { readonly firstMs: number; readonly longestMs: number }): BackOff {
  let nextMs = firstMs;
  const next = () => {
    const ms = nextMs;
    nextMs = Math.min(nextMs * 2, longestMs);
    return ms;
  };
  return {
    next,
    wait: (signal) => delay(next(), undefined, { signal }).catch(() => undefined),
    reset: () => (nextMs = firstMs),
  };
}
