import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '@pay/contracts';
import { DEADLINE_SECONDS, retrySchedule } from './delivery';

interface ScheduleRow {
  readonly attempt: number;
  /** Until the next attempt, as a person reads it; null after the last one. */
  readonly wait: string | null;
  /** From the first attempt to the next one. */
  readonly sinceFirst: string | null;
}

/** The documented retry schedule, generated from the constants that the dispatcher uses. Waits are without jitter. */
function scheduleTable(environment: Environment): ScheduleRow[] {
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

const page = readFileSync(join(__dirname, '../../../../docs/webhooks/README.md'), 'utf8');

/** Cells of the table under a heading of the page. */
function tableUnder(heading: string): string[][] {
  const section = page.split(`### ${heading}\n`)[1]?.split('\n#')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('the page for merchants', () => {
  it.each(['LIVE', 'SANDBOX'] as const)('has the schedule of %s', (environment) => {
    const expected = scheduleTable(environment).map(({ attempt, wait, sinceFirst }) => [
      String(attempt),
      wait ?? 'none: the delivery is `FAILED`',
      sinceFirst ?? '',
    ]);
    expect(tableUnder(environment)).toEqual(expected);
  });

  it('has the deadline', () => {
    expect(page).toContain(`within ${DEADLINE_SECONDS} seconds`);
  });
});
