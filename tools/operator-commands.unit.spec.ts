import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /^(?:README|docs|deploy)/.test(path) && existsSync(join(ROOT, path)));

/** Names of commands that the command line of dashboard-api accepts. */
const CLI = 'apps/dashboard-api/src/cli';
const known = readdirSync(join(ROOT, CLI)).flatMap((file) =>
  [...read(join(CLI, file)).matchAll(/^ {2}'([a-z]+(?:-[a-z]+)+)': /gm)].map(([, name = '']) => name),
);

it('every command of dashboard-api in the documentation exists', () => {
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/dashboard-api\/cli\.js ([a-z]+-[a-z-]+)/g)].map(([, name = '']) => `${page}: ${name}`),
  );

  expect(known).toContain('create-owner');
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((each) => !known.includes(each.split(': ')[1] ?? ''))).toEqual([]);
});

it('docs/operating.md has the commands of a new installation and of a person who cannot log in', () => {
  const page = read('docs/operating.md');
  const needed = ['create-merchant', 'create-owner', 'reset-password', 'disable-second-factor'];

  expect(needed.filter((name) => !page.includes(`cli.js ${name}`))).toEqual([]);
});
