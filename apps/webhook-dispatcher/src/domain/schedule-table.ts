import type { Environment } from '@pay/contracts';
import { retrySchedule } from './delivery';

export interface ScheduleRow {
  readonly attempt: number;
  /** Until the next attempt, as a person reads it; null after the last one. */
  readonly wait: string | null;
  /** From the first attempt to the next one. */
  readonly sinceFirst: string | null;
}

/** The documented retry schedule, generated from the constants that the dispatcher uses. Waits are without jitter. */
export function scheduleTable(environment: Environment): ScheduleRow[] {
  let total = 0;
  const waits = retrySchedule(environment);
  const rows = waits.map((seconds, index) => {
    total += seconds;
    return { attempt: index + 1, wait: duration(seconds), sinceFirst: duration(total) };
  });
  return [...rows, { attempt: waits.length + 1, wait: null, sinceFirst: null }];
}

/** Example: `3 min 50 s`. */
function duration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'min'],
    [seconds % 60, 's'],
  ] as const;
  return parts.flatMap(([count, unit]) => (count > 0 ? [`${count} ${unit}`] : [])).join(' ');
}
