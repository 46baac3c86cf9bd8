import { setTimeout as delay } from 'node:timers/promises';
import { isNotListening } from './errors';

export interface DatabasePatience {
  /** Called once if the first attempt is refused. */
  readonly onWait?: () => void;
  readonly patienceMs?: number;
  readonly pollMs?: number;
}

/** Maximum wait for a database that is being installed or fails over. */
const PATIENCE_MS = 60_000;
const POLL_MS = 250;

/**
 * Repeats `attempt` while the server refuses connections or is starting; a refused attempt has changed nothing. Throws
 * any other error immediately, and the last refusal after the maximum wait.
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
