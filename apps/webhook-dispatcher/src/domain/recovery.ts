import { RECOVERABLE_DAYS } from '@pay/contracts';

const DAY_MS = 86_400_000;

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/** What was held longer than this is not sent any more. */
export const longestAgo = (now: Date): Date => daysBefore(now, RECOVERABLE_DAYS);

/**
 * Ids have the times of their events, which may be long before their deliveries were made: no id bounds those made
 * since a time.
 */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
