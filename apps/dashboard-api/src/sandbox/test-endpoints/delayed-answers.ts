import { setTimeout as delay } from 'node:timers/promises';
import { BusinessError } from '@pay/contracts';

export interface DelayedAnswers {
  /** Throws RATE_LIMITED if too many responses wait, for this merchant or in total. */
  assertMayWait(merchantId: string, seconds: number): void;
  wait(merchantId: string, seconds: number): Promise<void>;
}

const LIMITS = { all: 500, ofMerchant: 50 };

/** Delayed responses wait in memory. The limit per merchant prevents one slow endpoint from using the whole limit. */
export function delayedAnswers(
  sleep: (milliseconds: number) => Promise<void> = (milliseconds) => delay(milliseconds),
  limits = LIMITS,
): DelayedAnswers {
  const waiting = new Map<string, number>();
  let all = 0;
  return {
    assertMayWait(merchantId, seconds) {
      if (all >= limits.all || (waiting.get(merchantId) ?? 0) >= limits.ofMerchant)
        throw new BusinessError('RATE_LIMITED', undefined, seconds);
    },
    async wait(merchantId, seconds) {
      all += 1;
      waiting.set(merchantId, (waiting.get(merchantId) ?? 0) + 1);
      await sleep(seconds * 1_000);
      all -= 1;
      const left = (waiting.get(merchantId) ?? 1) - 1;
      if (left > 0) waiting.set(merchantId, left);
      else waiting.delete(merchantId);
    },
  };
}
