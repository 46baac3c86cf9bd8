import { setTimeout as delay } from 'node:timers/promises';
import { DAY_MS, DHAKA_OFFSET_MS } from '@pay/contracts';

/** Waits past midnight in Dhaka if less than this is left of the day, for tests of what belongs to one day. */
export async function awaitDay(leastMs: number): Promise<void> {
  const leftMs = DAY_MS - ((Date.now() + DHAKA_OFFSET_MS) % DAY_MS);
  if (leftMs < leastMs) await delay(leftMs);
}
