import { setTimeout as delay } from 'node:timers/promises';
import { isNotListening } from './errors';

export interface DatabasePatience {
  /** Called once, when the server does not listen at first. */
  readonly onWait?: () => void;
  readonly patienceMs?: number;
  readonly pollMs?: number;
}

/** A database that is installed together with its first migrations, or that fails over, listens within this time. */
const PATIENCE_MS = 60_000;
const POLL_MS = 250;

/**
 * Repeats `attempt` while the database server refuses connections or is starting up. Throws every other error at once,
 * and the last refusal when the patience ends. A refused attempt has changed nothing.
 */
export async function onceDatabaseListens<T>(
  attempt: () => Promise<T>,
  { onWait, patienceMs = PATIENCE_MS, pollMs = POLL_MS }: DatabasePatience = {},
): Promise<T> {
  const until = performance.now() + patienceMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await attempt();
    } catch (error) {
      if (!isNotListening(error) || performance.now() >= until) throw error;
      if (isFirst) onWait?.();
      await delay(pollMs);
    }
  }
}
