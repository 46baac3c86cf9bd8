import { DAY_MS, RECOVERABLE_DAYS } from '@pay/contracts';

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/** Deliveries that were held longer are not sent. */
export const longestAgo = (now: Date): Date => daysBefore(now, RECOVERABLE_DAYS);
