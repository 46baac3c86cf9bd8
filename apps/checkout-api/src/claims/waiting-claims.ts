import { WAITING_SMS } from '@pay/contracts';

export interface WaitingClaims {
  /** Counts a claim as waiting until `work` ends, which stores it. Call it at the time of its submission. */
  untilStored<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Whether a claim has waited for at least a second. */
  isLong(): boolean;
  readonly size: number;
}

/** Claims that this process has accepted and not stored: they wait for a read, a connection or a commit. */
export function openWaitingClaims(clock: () => number): WaitingClaims {
  // In the order of their submission.
  const waiting = new Set<{ readonly since: number }>();
  return {
    async untilStored(work) {
      const place = { since: clock() };
      waiting.add(place);
      try {
        return await work();
      } finally {
        waiting.delete(place);
      }
    },
    isLong() {
      const [oldest] = waiting;
      // As for SMS: the minimum grace period of expiry is derived from this time.
      return oldest !== undefined && oldest.since <= clock() - WAITING_SMS.reportedAfterMs;
    },
    get size() {
      return waiting.size;
    },
  };
}
