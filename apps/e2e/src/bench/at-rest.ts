import { setTimeout as delay } from 'node:timers/promises';
import { leftOver } from '../left-over';
import type { RunningSystem } from '../system';

const PATIENCE_MS = 120_000;

/** The backlog of a measurement must not slow the next one. */
export async function atRest(system: RunningSystem): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  let found = await leftOver(system);
  while (found.length > 0) {
    if (performance.now() > deadline) throw new Error(`the system still has work: ${found.join('; ')}`);
    await delay(500);
    found = await leftOver(system);
  }
}
