import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseStartArguments } from './local/arguments';
import { parseClusterOptions } from './local/cluster/options';

const ROOT = join(__dirname, '..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};
const PROGRAM = /^node tools\/([\w-]+\.mjs)$/;

/** These parsers are part of bundles. */
const PARSED: Readonly<Record<string, (words: readonly string[]) => unknown>> = {
  start: parseStartArguments,
  cluster: parseClusterOptions,
};
/** Builds the simulated phone first. `apps/e2e/src/phone/options.unit.spec.ts` tests its options. */
const BUILT_FIRST = ['phone'];
/** Not run: accepting the option would delete the data of this checkout. */
const DELETES = ['clean'];

const COMMANDS = Object.entries(scripts).flatMap(([name, script]) => {
  const [, program] = PROGRAM.exec(script) ?? [];
  return program === undefined || name in PARSED || [...BUILT_FIRST, ...DELETES].includes(name) ? [] : [name];
});

/** Wrong arguments of commands that check them before any other action. */
const REFUSED: readonly (readonly [command: string, ...words: string[]])[] = [
  ['drill'],
  ['drill', 'everything'],
  ['drill', 'restore', '--payments', 'many'],
  ['upgrade'],
  ['upgrade', '--from', 'HEAD', '--payments', '0'],
  ['upgrade', '--from', 'no-such-commit'],
  ['faults', 'nothing'],
  ['faults', 'hanging', '--events', '-1'],
  ['histories', '--seed', 'x'],
  ['histories', '--races', '0'],
  ['bench', '--no-such-option'],
  ['page-weight', '--no-such-option'],
  ['sandbox'],
  ['sandbox', '--no-such-option'],
  ['sandbox', '--timeout', 'soon'],
  ['dev'],
  ['dev', 'no-such-app'],
  ['dev', 'reconciler', 'intent-api'],
  ['schema:dump', 'no-such-app'],
  ['compose:check'],
  ['compose:check', '--keep'],
];

function refuse(name: string, words: readonly string[]) {
  const { SANDBOX_API_KEY: _key, DATABASE_URL: _database, ...env } = process.env;
  const [, program = ''] = PROGRAM.exec(scripts[name] ?? '') ?? [];
  return spawnSync(process.execPath, [join(ROOT, 'tools', program), ...words], { env, encoding: 'utf8' });
}

/** `npm test` and `npm start` are commands of npm itself. */
const formOf = (name: string) => (name === 'test' || name === 'start' ? `npm ${name}` : `npm run ${name}`);

function expectExample(text: string, name: string): void {
  const [, example = ''] = /^Example: (.+)$/m.exec(text) ?? [];
  expect(example).toMatch(new RegExp(`^(?:[A-Z_]+=\\S+ )?${formOf(name)}(?: -- |$)`));
  expect(text).not.toMatch(/^ +at /m);
}

/** Commands that overwrite files of the repository. */
const GENERATORS = ['api-description', 'edge-config', 'manifests', 'telemetry'];

it.each(GENERATORS)('%s refuses an unknown option, and writes nothing', (name) => {
  const program = join(ROOT, 'tools', `${name}.mjs`);
  const { status, stderr, stdout } = spawnSync(process.execPath, [program, '--no-such-option'], { encoding: 'utf8' });

  expect(status).not.toBe(0);
  expect(stdout).toBe('');
  expect(stderr).toContain(`Example: node tools/${name}.mjs`);
});

describe('a refusal shows a command of the right form', () => {
  const given = REFUSED.map(([name, ...words]) => ({ line: [name, ...words].join(' '), name, words }));

  it.each(given)('npm run $line', ({ name, words }) => {
    const { status, stderr } = refuse(name, words);

    expect(status).not.toBe(0);
    expectExample(stderr, name);
  });

  it.each(COMMANDS)('npm run %s with an unknown option, before anything is built or started', (name) => {
    const { status, stdout, stderr } = refuse(name, ['--no-such-option']);

    expect(status).not.toBe(0);
    expectExample(stderr, name);
    expect(stderr).toContain('no-such-option');
    expect(stderr).not.toContain('positional argument');
    expect(stdout).toBe('');
  });

  it.each(Object.entries(PARSED))('npm run %s with an unknown option', (name, parse) => {
    let refusal = '';
    try {
      parse(['--no-such-option']);
    } catch (error) {
      refusal = (error as Error).message;
    }

    expectExample(refusal, name);
    expect(refusal).toContain('no-such-option');
  });

  it.each(DELETES)('npm run %s with any option', (name) => {
    const text = readFileSync(join(ROOT, 'tools', `${name}.mjs`), 'utf8');

    expect(text).toContain(`expects: { example: 'npm run ${name}', options: {} }`);
  });

  it('in every script of the root that is a program', () => {
    const others = Object.entries(scripts).filter(([, script]) => !PROGRAM.test(script));

    expect(others.map(([name]) => name)).toEqual(['check', 'e2e']);
    expect(COMMANDS.length).toBeGreaterThan(12);
  });
});
