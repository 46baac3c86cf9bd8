import { RECOVERABLE_DAYS } from '@pay/contracts';

const DAY_MS = 86_400_000;

export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/** What was held longer than this is not sent any more. */
export const longestAgo = (now: Date): Date => daysBefore(now, RECOVERABLE_DAYS);

/** Ids have the times of their events, which may be long before their deliveries were made: no id bounds those made since a time. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** Deliveries with ids below it are of events before that time. */
export const idBefore = (time: Date): string => lowestIdAt(time.getTime());

/** UUIDs of version 7 begin with their milliseconds. */
function lowestIdAt(milliseconds: number): string {
  const hex = Math.max(0, milliseconds).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}
