import { createHash } from 'node:crypto';

/** Requests outside this window are refused, so that a recorded one cannot be replayed later. */
const REPLAY_WINDOW_MS = 5 * 60_000;

export function isFresh(stampMs: number, now: Date): boolean {
  return Math.abs(now.getTime() - stampMs) <= REPLAY_WINDOW_MS;
}

/** An id for a message of an app that gives none: the same bytes again are the same message. */
export function contentId(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
