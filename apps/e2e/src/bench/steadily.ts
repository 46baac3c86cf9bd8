import { setTimeout as delay } from 'node:timers/promises';

const MOST_UNDER_WAY = 64;

/** Sends at a steady rate without waiting for responses. */
export async function steadily(
  perSecond: number,
  times: number,
  send: (number: number) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const begun = performance.now();
  for (let number = 0; number < times && signal?.aborted !== true; number += 1) {
    const wait = begun + (number * 1_000) / perSecond - performance.now();
    if (wait > 1) await delay(wait);
    // Limits concurrent requests: a longer queue here would measure the benchmark instead of the system.
    if (running.size >= MOST_UNDER_WAY) await Promise.race(running);
    const sending: Promise<void> = send(number).finally(() => running.delete(sending));
    running.add(sending);
  }
  await Promise.all(running);
}
