import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { commonConfig } from './common-config';
import { ConfigError, loadConfig } from './config';
import { secret } from './config-fields';
import { variablesWithFiles } from './settings-from-files';

const schema = z.object({
  SECRETS_DIRECTORY: commonConfig.SECRETS_DIRECTORY,
  PEER_SECRET: secret().describe('Shared with the peer'),
  LEVEL: z.string().default('info').describe('Log level'),
});
const SECRET = 'c0ffee00c0ffee11c0ffee22c0ffee33c0ffee44';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadConfig(schema, { NODE_ENV: 'test', ...env });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('settings in files', () => {
  it('reads a setting that the environment lacks from the file of that name, without the final newline', () => {
    writeFileSync(join(folder, 'PEER_SECRET'), `${SECRET}\n`);

    const config = loadConfig(schema, { NODE_ENV: 'test', SECRETS_DIRECTORY: folder, PEER_SECRET: '' });

    expect(config).toEqual({ SECRETS_DIRECTORY: folder, PEER_SECRET: SECRET, LEVEL: 'info' });
  });

  it('refuses a setting that is in the environment and in a file', () => {
    writeFileSync(join(folder, 'PEER_SECRET'), SECRET);

    expect(problemsOf({ SECRETS_DIRECTORY: folder, PEER_SECRET: SECRET })).toEqual([
      'PEER_SECRET: is set in the environment and in SECRETS_DIRECTORY (Shared with the peer)',
    ]);
  });

  it('refuses a folder that does not exist', () => {
    expect(problemsOf({ SECRETS_DIRECTORY: join(folder, 'missing'), PEER_SECRET: SECRET })).toEqual([
      expect.stringContaining(`SECRETS_DIRECTORY: ${join(folder, 'missing')} is not a readable folder`),
    ]);
  });

  it('names a file that cannot be read', () => {
    mkdirSync(join(folder, 'LEVEL'));

    expect(problemsOf({ SECRETS_DIRECTORY: folder, PEER_SECRET: SECRET })).toEqual([
      'LEVEL: its file in SECRETS_DIRECTORY cannot be read (Log level)',
    ]);
  });

  it('does not treat the name of the folder as a secret', () => {
    mkdirSync(join(folder, 'secret'));

    const problems = problemsOf({ NODE_ENV: 'production', SECRETS_DIRECTORY: join(folder, 'secret') });

    expect(problems.filter((problem) => problem.startsWith('SECRETS_DIRECTORY'))).toEqual([]);
  });

  it('checks a secret from a file like one from the environment', () => {
    writeFileSync(join(folder, 'PEER_SECRET'), 'changeme-changeme-changeme-changeme');

    expect(problemsOf({ NODE_ENV: 'production', SECRETS_DIRECTORY: folder })[0]).toMatch(
      /^PEER_SECRET: must not be used in production/,
    );
  });
});

describe('variables of a command', () => {
  it('are completed by the files of its settings, and of no others', () => {
    writeFileSync(join(folder, 'AMQP_URL'), 'amqp://broker\n');
    writeFileSync(join(folder, 'PEER_SECRET'), SECRET);

    const variables = { SECRETS_DIRECTORY: folder, PATH: '/bin' };

    expect(variablesWithFiles(['AMQP_URL', 'AMQP_NAMESPACE'], variables)).toEqual({
      ...variables,
      AMQP_URL: 'amqp://broker',
    });
  });

  it('that are set twice are refused by name', () => {
    writeFileSync(join(folder, 'AMQP_URL'), 'amqp://broker');

    expect(() => variablesWithFiles(['AMQP_URL'], { SECRETS_DIRECTORY: folder, AMQP_URL: 'amqp://other' })).toThrow(
      'AMQP_URL: is set in the environment and in SECRETS_DIRECTORY',
    );
  });
});
