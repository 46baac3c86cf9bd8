import { DAY_MS, DHAKA_OFFSET_MS, inDhaka } from '@pay/contracts';

/** Example: "2026-11-21" for 2026-11-20T18:00:00Z. */
export function dayInDhaka(instant: Date): string {
  return inDhaka(instant).toISOString().slice(0, 10);
}

/** Example: 0 for 2026-11-20T18:59:00Z. */
export function hourInDhaka(instant: Date): number {
  return inDhaka(instant).getUTCHours();
}

/** Example: "2026-11-01" for "2026-11-21". */
export function firstOfMonth(day: string): string {
  return `${day.slice(0, 8)}01`;
}

/** Example: 2026-11-20T18:00:00Z for "2026-11-21". */
export function startOfDayInDhaka(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) - DHAKA_OFFSET_MS);
}

/** Example: "2026-11-14" for "2026-11-21". */
export function weekBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 7 * DAY_MS).toISOString().slice(0, 10);
}
