import { RECOVERABLE_DAYS } from '@pay/contracts';

const DAY_MS = 86_400_000;
/** Clocks of the processes that gave ids may differ by this much. */
const SKEW_MS = 300_000;

export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/** What was held longer than this is not sent any more. */
export const longestAgo = (now: Date): Date => daysBefore(now, RECOVERABLE_DAYS);

/** The lowest id that may have been given since a time. */
export const firstIdSince = (since: Date): string => lowestIdAt(since.getTime() - SKEW_MS);

/** What is below it was given before that time. */
export const idBefore = (time: Date): string => lowestIdAt(time.getTime());

/** UUIDs of version 7 begin with their milliseconds. */
function lowestIdAt(milliseconds: number): string {
  const hex = Math.max(0, milliseconds).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}
