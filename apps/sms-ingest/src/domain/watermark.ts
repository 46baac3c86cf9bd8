const DAY_MS = 86_400_000;
const USUAL_DAYS = 7;
/** Limits the work per request; older messages no longer matter for payments. */
export const MOST_WATERMARK_DAYS = 31;

/** Day of UTC. Example: 2026-11-21 */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/**
 * The start of the day from which on a phone compares: the one asked for, seven days ago, or as far back as it goes.
 */
export function watermarkStart(asked: Date | undefined, now: Date): Date {
  const start = asked?.getTime() ?? now.getTime() - USUAL_DAYS * DAY_MS;
  const furthest = now.getTime() - MOST_WATERMARK_DAYS * DAY_MS;
  return new Date(dayOf(new Date(Math.max(start, furthest))));
}

interface Dated {
  readonly clientMessageId: string;
  readonly receivedAt: string;
}

/** Identifies a message by day and id, because a phone may cut the time to the second when it asks. */
export function datedIdOf({ clientMessageId, receivedAt }: Dated): { readonly day: string; readonly id: string } {
  return { day: dayOf(new Date(receivedAt)), id: clientMessageId };
}
