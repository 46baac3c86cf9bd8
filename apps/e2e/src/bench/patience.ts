import { setTimeout as delay } from 'node:timers/promises';

/** Throws the description of the condition after the timeout. */
export async function until(
  isTrue: () => boolean | Promise<boolean>,
  sentence: string,
  patienceMs = 180_000,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`not within ${patienceMs / 1_000} s: ${sentence}`);
    await delay(20);
  }
}
