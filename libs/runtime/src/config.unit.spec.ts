import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  commonConfig,
  ConfigError,
  describeConfig,
  encryptionKeys,
  flag,
  integer,
  loadConfig,
  networks,
  secret,
  secrets,
} from './config';

const schema = z.object({
  ...commonConfig,
  PEER_SECRET: z.string().min(16, 'must be at least 16 characters').describe('Shared with the peer'),
  DRY_RUN: flag().default(false).describe('Whether nothing is sent'),
});
const valid = {
  PORT: '3001',
  PRIVATE_PORT: '4001',
  DATABASE_URL: 'postgres://intent_api:pw@127.0.0.1:5432/pay',
  AMQP_URL: 'amqp://127.0.0.1',
  PEER_SECRET: 'a-secret-of-enough-length',
};

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadConfig(schema, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('loadConfig', () => {
  it('reads numbers and switches and fills in defaults', () => {
    const config = loadConfig(schema, { ...valid, DRY_RUN: 'true', UNRELATED: 'x' });

    expect(config).toMatchObject({
      PORT: 3001,
      DRY_RUN: true,
      LOG_LEVEL: 'info',
      DATABASE_POOL_SIZE: 10,
      AMQP_NAMESPACE: '',
    });
    expect(config).not.toHaveProperty('UNRELATED');
  });

  it('takes "false" for false', () => {
    expect(loadConfig(schema, { ...valid, DRY_RUN: 'false' }).DRY_RUN).toBe(false);
  });

  it('reports every problem at once, each with its key and what the key is for', () => {
    const problems = problemsOf({
      ...valid,
      PORT: '80a',
      AMQP_URL: 'http://x',
      DRY_RUN: 'perhaps',
      PEER_SECRET: undefined,
    });

    expect(problems).toEqual([
      'PORT: must be a whole number (Port of the public HTTP server)',
      'AMQP_URL: must be an amqp:// or amqps:// URL (RabbitMQ connection)',
      'PEER_SECRET: is required (Shared with the peer)',
      'DRY_RUN: must be true or false (Whether nothing is sent)',
    ]);
  });

  it.each(['0x10', '1e3', '1.5', ' ', '-1', '65536'])('refuses the port %p', (PORT) => {
    expect(problemsOf({ ...valid, PORT })).toHaveLength(1);
  });

  it('counts an empty value as absent', () => {
    expect(loadConfig(schema, { ...valid, LOG_LEVEL: '' }).LOG_LEVEL).toBe('info');
    expect(problemsOf({ ...valid, PEER_SECRET: '' })).toEqual(['PEER_SECRET: is required (Shared with the peer)']);
  });

  it('never shows a value', () => {
    const message = problemsOf({
      ...valid,
      PEER_SECRET: 'tooshort',
      DATABASE_URL: 'mysql://root:hunter2@db/pay',
      PORT: '99999999',
      LOG_LEVEL: 'chatty',
    }).join('\n');

    expect(message).toContain('PEER_SECRET');
    expect(message).toContain('LOG_LEVEL');
    for (const value of ['tooshort', 'hunter2', '99999999', 'chatty']) expect(message).not.toContain(value);
  });
});

describe('secrets', () => {
  const guarded = z.object({
    NODE_ENV: commonConfig.NODE_ENV,
    PEER: secret().describe('Shared with the peer'),
    OTHER: secret().optional().describe('Shared with another'),
    KEYS: encryptionKeys().optional().describe('Keys of what is stored'),
  });
  const random = () => randomBytes(32).toString('base64');
  const refused = (env: NodeJS.ProcessEnv): readonly string[] => {
    try {
      loadConfig(guarded, env);
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
  };

  it('a production start refuses development secrets, one sentence per variable and no value', () => {
    const env = {
      NODE_ENV: 'production',
      PEER: 'development-secret-of-the-peer-00001',
      OTHER: 'z'.repeat(40),
      KEYS: `2026:${random()},local:${random()}`,
    };

    expect(refused(env)).toEqual([
      'PEER: must not be used in production: it holds a word that development secrets are made of (Shared with the peer)',
      'OTHER: must not be used in production: it repeats itself or follows a pattern (Shared with another)',
      'KEYS: must not be used in production: it holds a word that development secrets are made of (Keys of what is stored)',
    ]);
    for (const value of Object.values(env).slice(1)) expect(refused(env).join()).not.toContain(value);
    expect(refused({ ...env, NODE_ENV: 'development' })).toEqual([]);
  });

  it('a production start refuses one secret in two places', () => {
    const shared = random();

    expect(refused({ NODE_ENV: 'production', PEER: shared, OTHER: shared })).toEqual([
      'OTHER: must not be used in production: it is also PEER (Shared with another)',
    ]);
  });

  it('what is named a secret is judged as one, whatever its schema', () => {
    expect(() => loadConfig(schema, { ...valid, NODE_ENV: 'production' })).toThrow('PEER_SECRET: must not be used');
  });

  it('a production start accepts random ones', () => {
    const env = { NODE_ENV: 'production', PEER: random(), OTHER: random(), KEYS: `k2:${random()}, k1:${random()}` };

    expect(refused(env)).toEqual([]);
  });
});

describe('a list of secrets', () => {
  const rotated = z.object({
    NODE_ENV: commonConfig.NODE_ENV,
    PEER: secrets().describe('Shared with the peer'),
    OTHER: secrets().optional().describe('Shared with another'),
  });
  const random = () => randomBytes(32).toString('base64');
  const load = (env: NodeJS.ProcessEnv) => () => loadConfig(rotated, { NODE_ENV: 'production', ...env });

  it('reads secrets separated by commas and keeps their order', () => {
    const [newer, older] = [random(), random()];

    expect(load({ PEER: `${newer}, ${older}` })().PEER).toEqual([newer, older]);
    expect(load({ PEER: newer })().PEER).toEqual([newer]);
  });

  it.each<[string, () => string, string]>([
    ['a short entry', () => `${random()},short`, 'at least 32 characters in each secret'],
    ['an empty entry', () => `${random()},`, 'at least 32 characters in each secret'],
    ['the same secret twice', () => Array(2).fill(random()).join(), 'must not contain the same secret twice'],
    ['more than 4 secrets', () => Array.from({ length: 5 }, random).join(), 'must be at most 4 secrets'],
    ['a weak entry behind a strong one', () => `${random()},${'z'.repeat(40)}`, 'repeats itself or follows a pattern'],
    ['an entry of a development set-up', () => `${random()},dev-${random()}`, 'holds a word that development secrets'],
  ])('refuses %s in production without showing it', (_what, listOf, problem) => {
    const list = listOf();

    expect(load({ PEER: list })).toThrow(problem);
    expect(load({ PEER: list })).toThrow(expect.not.objectContaining({ message: expect.stringContaining(list) }));
  });

  it('refuses an older entry that is also an entry of another setting', () => {
    const shared = random();

    expect(load({ PEER: `${random()},${shared}`, OTHER: `${shared},${random()}` })).toThrow(
      'OTHER: must not be used in production: it is also PEER',
    );
  });
});

describe('networks', () => {
  const proxied = z.object({ PROXIES: networks().default([]) });

  it('reads a list and is empty when nothing is said', () => {
    expect(loadConfig(proxied, { PROXIES: '10.0.0.0/8, fd00::/8' }).PROXIES).toEqual(['10.0.0.0/8', 'fd00::/8']);
    expect(loadConfig(proxied, {}).PROXIES).toEqual([]);
  });

  it.each(['10.0.0.1', '10.0.0.0/33', '10.0.0/8', 'fd00::/129', 'loopback', '10.0.0.0/8/8', '10.0.0.0/'])(
    'refuses %p',
    (PROXIES) => {
      expect(() => loadConfig(proxied, { PROXIES })).toThrow('PROXIES: must be CIDR ranges');
    },
  );
});

describe('describeConfig', () => {
  it('gives a row per key with its default, and says what is required', () => {
    const rows = describeConfig(schema);

    expect(rows.map((row) => row.key)).toEqual(Object.keys(schema.shape));
    expect(rows).toContainEqual({ key: 'PORT', description: 'Port of the public HTTP server', required: true });
    expect(rows).toContainEqual({
      key: 'DRY_RUN',
      description: 'Whether nothing is sent',
      default: 'false',
      required: false,
    });
    expect(rows).toContainEqual(expect.objectContaining({ key: 'AMQP_NAMESPACE', default: '', required: false }));
  });

  it('finds a description under a default', () => {
    const inner = z.object({ RETRIES: integer().describe('How often').default(3) });

    expect(describeConfig(inner)).toEqual([
      { key: 'RETRIES', description: 'How often', default: '3', required: false },
    ]);
  });

  it('refuses a key that nobody has described', () => {
    expect(() => describeConfig(z.object({ MYSTERY: z.string() }))).toThrow('MYSTERY has no description');
  });
});
