import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { intentStatusSchema, type IntentStatus } from '@pay/contracts';
import { isLegalMove } from './lifecycle';

type Moves = Record<IntentStatus, IntentStatus[]>;

const STATUSES = intentStatusSchema.options;
const targetsOf = (from: IntentStatus): IntentStatus[] => STATUSES.filter((to) => isLegalMove(from, to));
const moves = Object.fromEntries(STATUSES.map((from) => [from, targetsOf(from)])) as Moves;
const final = STATUSES.filter((status) => targetsOf(status).length === 0);

const statusesIn = (text: string): IntentStatus[] => STATUSES.filter((status) => text.includes(`\`${status}\``));

function documented(statements: Iterable<RegExpMatchArray>): Moves {
  const found = [...statements].map(([, from = '', targets = '']) => [from, statusesIn(targets)] as const);
  return {
    ...(Object.fromEntries(STATUSES.map((status) => [status, []])) as unknown as Moves),
    ...Object.fromEntries(found),
  };
}

const finalIn = (text: string): IntentStatus[] => statusesIn(/Only (.+?) are final/.exec(text)?.[1] ?? '');

test('the API description has the moves of the lifecycle and its final statuses', () => {
  const { description = '' } = intentStatusSchema.meta() ?? {};

  expect(documented(description.matchAll(/`(\w+)` can become ([^.]+)\./g))).toEqual(moves);
  expect(finalIn(description)).toEqual(final);
});

test('the page about webhooks has the moves of the lifecycle and its final statuses', () => {
  const page = readFileSync(join(__dirname, '../../../../docs/webhooks/README.md'), 'utf8');
  const section = page.split('## Changes of the status\n')[1]?.split('\n## ')[0] ?? '';
  const rows = [...section.matchAll(/^\| `(\w+)` +\| (.+?) *\|$/gm)];

  expect(documented(rows)).toEqual(moves);
  expect(rows.flatMap(([, status = '', text]) => (text === 'final' ? statusesIn(`\`${status}\``) : [])).sort()).toEqual(
    [...final].sort(),
  );
  expect(finalIn(section)).toEqual(final);
});
