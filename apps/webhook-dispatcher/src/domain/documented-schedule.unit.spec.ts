import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WEBHOOK_RESPONSE_SECONDS, type Environment } from '@pay/contracts';
import { DEADLINE_SECONDS, retrySchedule } from './delivery';

interface ScheduleRow {
  readonly attempt: number;
  /** Null after the last attempt. */
  readonly wait: string | null;
  /** Time from the first attempt to the next one. */
  readonly sinceFirst: string | null;
}

/** Generated from the constants of the dispatcher, without jitter. */
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

const read = (file: string): string => readFileSync(join(__dirname, '../../../..', file), 'utf8');
const page = read('docs/webhooks/README.md');

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

  it('has the deadline of the response and of the whole attempt', () => {
    expect(page).toContain(`Return any 2xx within ${WEBHOOK_RESPONSE_SECONDS} seconds`);
    expect(page).toContain(`an attempt takes at most ${DEADLINE_SECONDS} seconds`);
  });
});

test.each([
  ['libs/signing/README.md'],
  ['apps/dashboard-web/src/testing/words.ts'],
  ['apps/dashboard-web/src/webhooks/words.ts'],
])('%s has the deadline of the response', (file) => {
  expect(read(file)).toMatch(new RegExp(`(within|more than) ${WEBHOOK_RESPONSE_SECONDS} seconds`));
});
