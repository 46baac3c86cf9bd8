import { DAY_MS, RECOVERABLE_DAYS } from '@pay/contracts';

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/** Deliveries that were held longer are not sent. */
export const longestAgo = (now: Date): Date => daysBefore(now, RECOVERABLE_DAYS);

/**
 * Ids contain the times of events, which may be much earlier than their deliveries. A range of deliveries by creation
 * time therefore starts at the lowest id.
 */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
