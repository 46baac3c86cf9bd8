import { RECOVERABLE_DAYS } from '@pay/contracts';

const DAY_MS = 86_400_000;

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/** Deliveries that were held longer than this are not sent. */
export const longestAgo = (now: Date): Date => daysBefore(now, RECOVERABLE_DAYS);

/**
 * Ids contain the times of events, which may be long before the creation of their deliveries: no id bounds the
 * deliveries created since a time.
 */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
