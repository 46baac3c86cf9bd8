import { WAITING_SMS } from '@pay/contracts';

export interface WaitingClaims {
  /** Call it at the time of the submission. `work` stores the claim. */
  untilStored<Result>(work: () => Promise<Result>): Promise<Result>;
  /** True if a claim has waited for at least a second. */
  isLong(): boolean;
  readonly size: number;
}

/** Claims in memory that wait for a read, a connection or a commit. */
export function openWaitingClaims(clock: () => number): WaitingClaims {
  // In order of submission.
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
