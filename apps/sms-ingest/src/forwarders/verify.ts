import { createHash } from 'node:crypto';

/** Older and younger requests are refused: whoever has seen one cannot send it another day. */
const REPLAY_WINDOW_MS = 5 * 60_000;

export function isFresh(stampMs: number, now: Date): boolean {
  return Math.abs(now.getTime() - stampMs) <= REPLAY_WINDOW_MS;
}

/** An id for a message of an app that gives none: the same bytes again are the same message. */
export function contentId(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
