import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { USAGE as PHONE_USAGE } from '../apps/e2e/src/phone/options';
import { USAGE as START_USAGE } from './local/arguments';
import { USAGE as CLUSTER_USAGE } from './local/cluster/options';

const ROOT = join(__dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Readonly<Record<string, string>> };

/** Commands that build before they print their usage: the usage, and the file with their options. */
const BUILT_FIRST: Readonly<Record<string, readonly [usage: string, source: string]>> = {
  start: [START_USAGE, 'tools/local/arguments.ts'],
  cluster: [CLUSTER_USAGE, 'tools/local/cluster/options.ts'],
  phone: [PHONE_USAGE, 'apps/e2e/src/phone/options.ts'],
};
/** Commands whose options are defined in another file. */
const SOURCES: Readonly<Record<string, string>> = { images: 'tools/images/command.mjs' };
/** Not run: it has no options and would delete data if it ignored an unknown one. */
const DELETES = ['clean'];
const COMMANDS = Object.entries(scripts).flatMap(([name, script]) => {
  const [, path = ''] = /^node (tools\/[\w-]+\.mjs)$/.exec(script) ?? [];
  return path === '' || name in BUILT_FIRST || DELETES.includes(name) ? [] : [{ name, path }];
});

const optionsIn = (source: string) =>
  [...source.matchAll(/\b([a-z][a-z-]*)'?: (?:flag|text|\{ type: '(?:string|boolean)')/g)]
    .map(([, option = '']) => option)
    .filter((option) => option !== 'help');
const missingIn = (usage: string, source: string) => optionsIn(source).filter((each) => !usage.includes(`--${each}`));

describe('--help', () => {
  it.each(COMMANDS)('of npm run $name prints an example and every option', ({ name, path }) => {
    const { status, stdout } = spawnSync(process.execPath, [join(ROOT, path), '--help'], { encoding: 'utf8' });

    expect(status).toBe(0);
    expect(stdout).toMatch(/^(?:Usage|Example): /m);
    expect(missingIn(stdout, read(SOURCES[name] ?? path))).toEqual([]);
  });

  it.each(Object.entries(BUILT_FIRST))('of npm run %s names every option', (_, [usage, source]) => {
    expect(optionsIn(read(source)).length).toBeGreaterThan(2);
    expect(missingIn(usage, read(source))).toEqual([]);
  });

  it('has options to name', () => {
    expect(COMMANDS.flatMap(({ name, path }) => optionsIn(read(SOURCES[name] ?? path))).length).toBeGreaterThan(25);
  });
});
