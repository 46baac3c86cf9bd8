import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEADLINE_SECONDS } from './delivery';
import { scheduleTable } from './schedule-table';

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
