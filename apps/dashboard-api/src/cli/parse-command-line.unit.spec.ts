import { ALL_COMMANDS } from './commands';
import { exampleOf, PROGRAM } from './help';
import { parseCommandLine } from './parse-command-line';
import { UsageError } from '@pay/runtime';

const MERCHANT = '01939e5c-0000-7000-8000-000000000001';
const RECEIVER = '01939e5c-0000-7000-8000-000000000002';

function problemsOf(...words: string[]): readonly string[] {
  try {
    parseCommandLine(words);
  } catch (error) {
    if (error instanceof UsageError) return error.problems;
  }
  throw new Error('it was accepted');
}

describe('parseCommandLine', () => {
  it('reads options with and without an equals sign', () => {
    const line = parseCommandLine(['issue-api-key', `--merchant=${MERCHANT}`, '--environment', 'sandbox']);

    expect(line).toMatchObject({ kind: 'run', input: { merchant: MERCHANT, environment: 'sandbox' } });
  });

  it('takes an option for several SIMs several times', () => {
    const words = ['connect-device', `--merchant=${MERCHANT}`, '--environment=LIVE'];
    const line = parseCommandLine([...words, `--sim=1:${RECEIVER}`, `--sim=any:${RECEIVER}`]);

    expect(line).toMatchObject({ kind: 'run', input: { sim: [`1:${RECEIVER}`, `any:${RECEIVER}`] } });
  });

  it('lists all problems together, each with its argument', () => {
    expect(problemsOf('issue-api-key', '--environment=PRODUCTION', '--scopes=payments:read,everything')).toEqual([
      '--merchant is required',
      '--environment must be SANDBOX or LIVE',
      '--scopes must be a list of payments:read, payments:write, webhooks:read, webhooks:write, sandbox:simulate',
    ]);
  });

  it.each<[string, string[], string]>([
    ['an id that is none', ['revoke-api-key', '--key=7'], '--key must be the UUID of an API key'],
    [
      'a switch that is neither',
      ['set-receiver-account', `--receiver=${RECEIVER}`, '--active=maybe'],
      '--active must be true or false',
    ],
    [
      'a SIM without receivers',
      ['connect-device', `--merchant=${MERCHANT}`, '--environment=LIVE', '--sim=1'],
      '--sim must be a slot',
    ],
    [
      'the owner as a copy',
      ['resend-directory', '--service=dashboard-api'],
      '--service must be a service other than dashboard-api',
    ],
    [
      'a website without https',
      ['create-merchant', '--name=Shop', '--website=http://shop.example'],
      '--website must be an absolute https URL',
    ],
    [
      'a name of several lines',
      ['create-merchant', '--name=Shop\nDhaka'],
      '--name must not contain line breaks or other control characters',
    ],
    [
      'a name with a link',
      ['create-merchant', '--name=Shop https://evil.example'],
      '--name must not contain :// or www.',
    ],
    ['an option that does not exist', ['list-merchants', '--page=2'], "Unknown option '--page'"],
    ['an option without its value', ['revoke-api-key', '--key'], "'--key <value>' argument missing"],
    ['a word too many', ['list-merchants', 'all'], 'all'],
    ['a command that does not exist', ['drop-everything'], 'drop-everything: unknown command'],
    ['a name that every object has', ['constructor'], 'constructor: unknown command'],
  ])('refuses %s', (_name, words, sentence) => {
    const problems = problemsOf(...words);

    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(sentence);
  });

  it.each([[[]], [['--help']], [['help']], [['-h']]])('%j lists the commands', (words) => {
    const line = parseCommandLine(words);

    if (line.kind !== 'help') throw new Error('no help');
    for (const name of Object.keys(ALL_COMMANDS)) expect(line.text).toContain(name);
    expect(line.text).toContain('DATABASE_URL');
  });

  it.each(Object.entries(ALL_COMMANDS))('%s has an example that is accepted', (name, command) => {
    const words = exampleOf(name, command)
      .replaceAll("'", '')
      .split(`${PROGRAM} `)[1]!
      .split(/ (?=--)/);

    expect(parseCommandLine(words).kind).not.toBe('help');
  });

  it.each(Object.keys(ALL_COMMANDS))('%s --help describes each of its options', (name) => {
    const line = parseCommandLine([name, '--help']);

    if (line.kind !== 'help') throw new Error('no help');
    for (const option of Object.keys(ALL_COMMANDS[name]!.options.shape)) expect(line.text).toContain(`--${option}`);
  });
});
