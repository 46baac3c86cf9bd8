import { setTimeout as delay } from 'node:timers/promises';

export interface BackOff {
  next(): number;
  /** Resolves without an error when the signal aborts. */
  wait(signal?: AbortSignal): Promise<void>;
  reset(): void;
}

/** Waits that double from `firstMs` to `longestMs`. */
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
