import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brokerCli, parkedCli, replayCli } from '@pay/messaging';
import { USAGE as PHONE_USAGE } from '../apps/e2e/src/phone/options';
import { USAGE as START_USAGE } from './local/arguments';
import { USAGE as CLUSTER_USAGE } from './local/cluster/options';

const ROOT = join(__dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const run = (path: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(ROOT, path), ...args], { encoding: 'utf8' });

/** Commands that build before they print their usage: the usage, and the file with their options. */
const BUILT_FIRST: Readonly<Record<string, readonly [usage: string, source: string]>> = {
  start: [START_USAGE, 'tools/local/arguments.ts'],
  cluster: [CLUSTER_USAGE, 'tools/local/cluster/options.ts'],
  phone: [PHONE_USAGE, 'apps/e2e/src/phone/options.ts'],
};
/** Commands whose options are defined in another file. */
const SOURCES: Readonly<Record<string, string>> = { images: 'tools/images/command.mjs' };
/** Commands that the image contains too, with arguments to which an option may be added. They are built first. */
const OF_THE_IMAGE = {
  broker: { cli: brokerCli, args: ['permissions'] },
  parked: { cli: parkedCli, args: ['list', 'reconciler.events'] },
  replay: { cli: replayCli, args: ['status'] },
};
/** Not run with an unknown option: it would delete data if it ignored it. */
const DELETES = ['clean'];
/** Every program of `tools`. Other files there are modules. */
const COMMANDS = readdirSync(join(ROOT, 'tools')).flatMap((file) => {
  const [, name = ''] = /^([\w-]+)\.mjs$/.exec(file) ?? [];
  const isProgram = name !== '' && read(join('tools', file)).startsWith('#!');
  return isProgram && !(name in BUILT_FIRST) && !(name in OF_THE_IMAGE) ? [{ name, path: join('tools', file) }] : [];
});

const optionsIn = (source: string) =>
  [...source.matchAll(/\b([a-z][a-z-]*)'?: (?:flag|text|\{ type: '(?:string|boolean)')/g)]
    .map(([, option = '']) => option)
    .filter((option) => option !== 'help');
const missingIn = (usage: string, source: string) => optionsIn(source).filter((each) => !usage.includes(`--${each}`));

describe('--help', () => {
  it.each(COMMANDS)('of $path prints an example and every option', ({ name, path }) => {
    const { status, stdout } = run(path, '--help');

    expect(status).toBe(0);
    expect(stdout).toMatch(/^(?:Usage|Example): /m);
    expect(missingIn(stdout, read(SOURCES[name] ?? path))).toEqual([]);
  });

  it.each(Object.entries(BUILT_FIRST))('of npm run %s names every option', (_, [usage, source]) => {
    expect(optionsIn(read(source)).length).toBeGreaterThan(2);
    expect(missingIn(usage, read(source))).toEqual([]);
  });

  it.each(Object.entries(OF_THE_IMAGE))('of %s prints its usage alone', async (name, { cli }) => {
    const printed: string[] = [];

    expect(await cli(['--help'], {}, (text) => printed.push(text))).toBe(0);
    expect(printed.join('')).toMatch(new RegExp(`^${name} `));
  });

  it('has options to name', () => {
    expect(COMMANDS.flatMap(({ name, path }) => optionsIn(read(SOURCES[name] ?? path))).length).toBeGreaterThan(25);
  });
});

describe('an unknown option', () => {
  it.each(COMMANDS.filter(({ name }) => !DELETES.includes(name)))(
    'is refused by $path before it does anything',
    ({ path }) => {
      const { status, stdout, stderr } = run(path, '--no-such-option');

      expect(status).toBeGreaterThan(0);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/--no-such-option|No system is running/);
    },
  );

  it.each(Object.entries(OF_THE_IMAGE))('is refused by %s', async (_, { cli, args }) => {
    const environment = { AMQP_URL: 'amqp://127.0.0.1:1', DATABASE_URL: 'postgres://127.0.0.1:1/none' };

    expect(await cli([...args, '--no-such-option'], environment, () => undefined)).toBe(2);
  });
});

it('npm run sandbox also runs as a copy of its file alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-copy-'));
  try {
    const copy = join(folder, 'sandbox.mjs');
    copyFileSync(join(ROOT, 'tools', 'sandbox.mjs'), copy);
    expect(spawnSync(process.execPath, [copy, '--help'], { encoding: 'utf8' }).stdout).toContain('--cases KEY,KEY');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
