import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const SCRIPTS = Object.keys(
  (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object }).scripts,
);

/** Wrong arguments of commands that check them before they do anything. */
const REFUSED: readonly (readonly [command: string, ...words: string[]])[] = [
  ['drill'],
  ['drill', 'everything'],
  ['drill', 'restore', '--payments', 'many'],
  ['upgrade'],
  ['upgrade', '--from', 'HEAD', '--payments', '0'],
  ['faults', 'nothing'],
  ['faults', 'hanging', '--events', '-1'],
  ['histories', '--seed', 'x'],
  ['histories', '--races', '0'],
  ['bench', '--no-such-option'],
  ['page-weight', '--no-such-option'],
  ['sandbox'],
  ['sandbox', '--no-such-option'],
  ['sandbox', '--timeout', 'soon'],
];

it.each(REFUSED)('npm run %s %s %s %s: a refusal shows a command of the right form', (command, ...words) => {
  const { SANDBOX_API_KEY: _key, ...env } = process.env;
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'tools', `${command}.mjs`), ...words], {
    ...{ env, encoding: 'utf8' },
  });

  expect(status).not.toBe(0);
  const [, example = ''] = /^Example: (.+)$/m.exec(stderr) ?? [];
  expect(example).toContain(`npm run ${command}`);
  expect(stderr).not.toMatch(/^ +at /m);
  expect(SCRIPTS).toContain(command);
});
