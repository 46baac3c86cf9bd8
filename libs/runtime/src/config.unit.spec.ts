import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { commonConfig } from './common-config';
import { ConfigError, describeConfig, loadConfig, warnOfTlsOff } from './config';
import { encryptionKeys, flag, integer, networks, secret, secrets } from './config-fields';
import { createLogger } from './logger';

const schema = z.object({
  ...commonConfig,
  PEER_SECRET: z.string().min(16, 'must be at least 16 characters').describe('Shared with the peer'),
  DRY_RUN: flag().default(false).describe('Whether nothing is sent'),
});
const valid = {
  NODE_ENV: 'test',
  PORT: '3001',
  PRIVATE_PORT: '4001',
  DATABASE_URL: 'postgres://intent_api:pw@127.0.0.1:5432/pay',
  AMQP_URL: 'amqp://127.0.0.1',
  PEER_SECRET: 'a-secret-of-enough-length',
  EVENT_SIGNING_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  EVENT_VERIFICATION_KEYS: `intent-api/k1:${randomBytes(32).toString('base64')}`,
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

  it('reads "false" as false', () => {
    expect(loadConfig(schema, { ...valid, DRY_RUN: 'false' }).DRY_RUN).toBe(false);
  });

  it('reports all problems together, each with its key and description', () => {
    const problems = problemsOf({
      ...valid,
      PORT: '80a',
      AMQP_URL: 'http://x',
      DRY_RUN: 'perhaps',
      PEER_SECRET: undefined,
    });

    expect(problems).toEqual([
      'PORT: must be a whole number (Port of the public HTTP server)',
      'AMQP_URL: must be an amqp:// or amqps:// URL (URL of RabbitMQ; in production amqps://)',
      'PEER_SECRET: is required (Shared with the peer)',
      'DRY_RUN: must be true or false (Whether nothing is sent)',
    ]);
  });

  it.each(['0x10', '1e3', '1.5', ' ', '-1', '65536'])('refuses the port %p', (PORT) => {
    expect(problemsOf({ ...valid, PORT })).toHaveLength(1);
  });

  it('treats an empty value as absent', () => {
    expect(loadConfig(schema, { ...valid, LOG_LEVEL: '' }).LOG_LEVEL).toBe('info');
    expect(problemsOf({ ...valid, PEER_SECRET: '' })).toEqual(['PEER_SECRET: is required (Shared with the peer)']);
  });

  it('does not include values in its message', () => {
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

  it('are refused in production if they are development secrets, with one sentence per variable and no value', () => {
    const env = {
      NODE_ENV: 'production',
      PEER: 'development-secret-of-the-peer-00001',
      OTHER: 'z'.repeat(40),
      KEYS: `2026:${random()},local:${random()}`,
    };

    expect(refused(env)).toEqual([
      'PEER: must not be used in production: it contains a word that is common in development secrets (Shared with the peer)',
      'OTHER: must not be used in production: it is repetitive or follows a pattern (Shared with another)',
      'KEYS: must not be used in production: it contains a word that is common in development secrets (Keys of what is stored)',
    ]);
    for (const value of Object.values(env).slice(1)) expect(refused(env).join()).not.toContain(value);
    expect(refused({ ...env, NODE_ENV: 'development' })).toEqual([]);
  });

  it('are refused in production if two settings have the same one', () => {
    const shared = random();

    expect(refused({ NODE_ENV: 'production', PEER: shared, OTHER: shared })).toEqual([
      'OTHER: must not be used in production: it is also PEER (Shared with another)',
    ]);
  });

  it('are recognised by the name of the setting, whatever its schema', () => {
    expect(() => loadConfig(schema, { ...valid, NODE_ENV: 'production' })).toThrow('PEER_SECRET: must not be used');
  });

  it('are accepted in production if they are random', () => {
    const env = { NODE_ENV: 'production', PEER: random(), OTHER: random(), KEYS: `k2:${random()}, k1:${random()}` };

    expect(refused(env)).toEqual([]);
  });
});

describe('production', () => {
  const service = z.object({ ...commonConfig, PEER: secret().describe('Shared with the peer') });
  const password = randomBytes(12).toString('base64url');
  const strong = {
    NODE_ENV: 'production',
    PORT: '1',
    PRIVATE_PORT: '2',
    TRUSTED_PROXY_CIDRS: '10.0.0.0/8',
    DATABASE_URL: `postgres://intent_api:${password}@db.internal:5432/pay?sslmode=verify-full`,
    AMQP_URL: `amqps://gateway:${randomBytes(12).toString('hex')}@broker.internal`,
    PEER: randomBytes(32).toString('hex'),
    EVENT_SIGNING_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    EVENT_VERIFICATION_KEYS: `reconciler/k1:${randomBytes(32).toString('base64')}`,
  };
  const refusals = (env: NodeJS.ProcessEnv): readonly string[] => {
    try {
      loadConfig(service, { ...strong, ...env });
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return error.problems.map((problem) => problem.replace(/ \([^)]*\)$/, ''));
      throw error;
    }
  };
  const verifyFull =
    'must end in ?sslmode=verify-full in production, unless the server is on this machine or DATABASE_TLS=off-in-private-network';
  const amqps =
    'must be an amqps:// URL in production, unless the server is on this machine or AMQP_TLS=off-in-private-network';

  it('accepts strong secrets, verified TLS and named proxies', () => {
    expect(refusals({})).toEqual([]);
  });

  it.each([[undefined], ['']])('is assumed when NODE_ENV is %p', (NODE_ENV) => {
    expect(loadConfig(service, { ...strong, NODE_ENV }).NODE_ENV).toBe('production');
    expect(refusals({ NODE_ENV, PEER: 'x'.repeat(40) })).toEqual([
      'PEER: must not be used in production: it is repetitive or follows a pattern',
    ]);
  });

  it('is assumed when NODE_ENV has an unknown value', () => {
    expect(refusals({ NODE_ENV: 'staging', PEER: 'x'.repeat(40) })).toEqual([
      expect.stringContaining('NODE_ENV: '),
      'PEER: must not be used in production: it is repetitive or follows a pattern',
    ]);
  });

  it.each(['development', 'test'])('is not assumed when NODE_ENV is %s', (NODE_ENV) => {
    const weak = { PEER: 'x'.repeat(40), DATABASE_URL: 'postgres://pay@db/pay', AMQP_URL: 'amqp://broker' };

    expect(refusals({ NODE_ENV, ...weak, TRUSTED_PROXY_CIDRS: undefined })).toEqual([]);
  });

  it('reports all problems together', () => {
    const problems = refusals({
      NODE_ENV: undefined,
      PORT: undefined,
      TRUSTED_PROXY_CIDRS: undefined,
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
      PEER: `dev-${strong.PEER}`,
      DATABASE_URL: 'postgres://pay:pay@db/pay',
      AMQP_URL: 'amqp://broker',
    });

    expect(problems).toEqual([
      'PORT: is required',
      'TRUSTED_PROXY_CIDRS: is required in production: set the networks of your reverse proxies, or none',
      'DATABASE_URL: must not be used in production: its password has fewer than 16 characters',
      `DATABASE_URL: ${verifyFull}`,
      'AMQP_URL: must contain a password in production',
      `AMQP_URL: ${amqps}`,
      'PEER: must not be used in production: it contains a word that is common in development secrets',
      'NODE_TLS_REJECT_UNAUTHORIZED: must not be 0 in production',
    ]);
  });

  it.each<[string, string]>([
    ['no TLS', 'postgres://p:PASSWORD@db/pay'],
    ['TLS that is switched off', 'postgres://p:PASSWORD@db/pay?sslmode=disable'],
    ['TLS that is only preferred', 'postgres://p:PASSWORD@db/pay?sslmode=prefer'],
    ['TLS that libpq does not verify', 'postgres://p:PASSWORD@db/pay?sslmode=require'],
    ['TLS without verification', 'postgres://p:PASSWORD@db/pay?sslmode=no-verify'],
    ['a mode that a later one replaces', 'postgres://p:PASSWORD@db/pay?sslmode=verify-full&sslmode=disable'],
    ['a loopback address that a parameter replaces', 'postgres://p:PASSWORD@127.0.0.1/pay?host=db'],
    ['a host that only begins like loopback', 'postgres://p:PASSWORD@127.0.0.1.example.org/pay'],
  ])('refuses a database connection with %s', (_what, url) => {
    expect(refusals({ DATABASE_URL: url.replace('PASSWORD', password) })).toEqual([`DATABASE_URL: ${verifyFull}`]);
  });

  it.each<[string, string]>([
    ['loopback', 'postgres://p:PASSWORD@127.0.0.1/pay'],
    ['loopback by name', 'postgres://p:PASSWORD@localhost/pay'],
    ['loopback of IPv6', 'postgres://p:PASSWORD@[::1]/pay'],
    ['a Unix socket', 'postgres://p:PASSWORD@db/pay?host=%2Frun%2Fpg'],
    ['a Unix socket whose server knows its peer', 'postgres://p@db/pay?host=%2Frun%2Fpg'],
  ])('accepts a database connection without TLS over %s', (_what, url) => {
    expect(refusals({ DATABASE_URL: url.replace('PASSWORD', password) })).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['no password', '', 'must contain a password in production'],
    ['a short one', ':3f9a1c07be52d6', 'must not be used in production: its password has fewer than 16 characters'],
    [
      'a word of development set-ups',
      ':my-dev-3f9a1c07be52d684',
      'must not be used in production: its password contains a word that is common in development secrets',
    ],
    ['half of it twice', ':3f9a1c073f9a1c07', 'must not be used in production: its password is repetitive'],
    ['an encoded pattern', `:${'%61'.repeat(20)}`, 'must not be used in production: its password is repetitive'],
  ])('refuses URLs with a weak password: %s', (_what, part, problem) => {
    const urls = {
      DATABASE_URL: `postgres://intent_api${part}@127.0.0.1/pay`,
      AMQP_URL: `amqp://gateway${part}@127.0.0.1`,
    };
    const [database, broker] = refusals(urls);

    expect(database).toContain(`DATABASE_URL: ${problem}`);
    expect(broker).toContain(`AMQP_URL: ${problem}`);
    if (part !== '') expect(refusals(urls).join()).not.toContain(part.slice(1));
  });

  it('refuses a password that is also a secret', () => {
    expect(refusals({ AMQP_URL: `amqps://g:${password}@broker` })).toEqual([
      'AMQP_URL: must not be used in production: it is also DATABASE_URL',
    ]);
  });

  it('accepts connections without TLS if a setting states that the network encrypts them, and logs a warning for each', () => {
    const off = 'off-in-private-network';
    const plain = {
      DATABASE_URL: strong.DATABASE_URL.replace('?sslmode=verify-full', ''),
      AMQP_URL: strong.AMQP_URL.replace('amqps:', 'amqp:'),
    };
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };

    expect(refusals({ ...plain, DATABASE_TLS: off })).toEqual([`AMQP_URL: ${amqps}`]);
    expect(refusals({ ...plain, AMQP_TLS: off })).toEqual([`DATABASE_URL: ${verifyFull}`]);
    expect(refusals({ ...plain, DATABASE_TLS: 'off', AMQP_TLS: off })).toHaveLength(2);
    expect(refusals({ ...plain, DATABASE_TLS: off, AMQP_TLS: off })).toEqual([]);
    warnOfTlsOff(
      loadConfig(service, { ...strong, ...plain, DATABASE_TLS: off, AMQP_TLS: off }),
      createLogger({ service: 'spec', level: 'info', destination }),
    );
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ level: 'warn', msg: 'config.tls_turned_off', setting: 'DATABASE_TLS' }),
      expect.objectContaining({ level: 'warn', msg: 'config.tls_turned_off', setting: 'AMQP_TLS' }),
    ]);
  });

  it('reads "none" as an empty list of proxies', () => {
    expect(loadConfig(service, { ...strong, TRUSTED_PROXY_CIDRS: 'none' }).TRUSTED_PROXY_CIDRS).toEqual([]);
    expect(refusals({ TRUSTED_PROXY_CIDRS: 'none, 10.0.0.0/8' })).toHaveLength(1);
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
    ['a weak entry behind a strong one', () => `${random()},${'z'.repeat(40)}`, 'is repetitive or follows a pattern'],
    [
      'an entry of a development set-up',
      () => `${random()},dev-${random()}`,
      'contains a word that is common in development secrets',
    ],
  ])('refuses %s in production without printing it', (_what, listOf, problem) => {
    const list = listOf();

    expect(load({ PEER: list })).toThrow(problem);
    expect(load({ PEER: list })).toThrow(expect.not.objectContaining({ message: expect.stringContaining(list) }));
  });

  it('refuses an older entry that another setting contains too', () => {
    const shared = random();

    expect(load({ PEER: `${random()},${shared}`, OTHER: `${shared},${random()}` })).toThrow(
      'OTHER: must not be used in production: it is also PEER',
    );
  });
});

describe('networks', () => {
  const proxied = z.object({ PROXIES: networks().default([]) });

  it('reads a list, and an absent value as an empty list', () => {
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
  it('returns a row per key with its default, and marks required keys', () => {
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

  it('refuses a key without a description', () => {
    expect(() => describeConfig(z.object({ MYSTERY: z.string() }))).toThrow('MYSTERY has no description');
  });
});
