import { randomBytes } from 'node:crypto';
import { ConfigError, describeConfig, loadConfig } from '@pay/runtime';
import { webhookDispatcherConfig } from './config';

const random = () => randomBytes(32).toString('base64');
const ENV = {
  NODE_ENV: 'test',
  TRUSTED_PROXY_CIDRS: 'none',
  PORT: '8005',
  PRIVATE_PORT: '9005',
  DATABASE_URL: `postgres://webhook_dispatcher:${randomBytes(16).toString('hex')}@127.0.0.1/pay`,
  AMQP_URL: `amqp://gateway:${randomBytes(16).toString('hex')}@127.0.0.1`,
  DASHBOARD_API_URL: 'http://127.0.0.1:9006',
  PEER_SECRET_DASHBOARD_API: random(),
  SECRET_ENCRYPTION_KEYS: `k2:${random()},k1:${random()}`,
  EVENT_SIGNING_KEYS: `k1:${random()}`,
  EVENT_VERIFICATION_KEYS: `intent-api/k1:${random()}`,
};

const problemsOf = (over: NodeJS.ProcessEnv): readonly string[] => {
  try {
    loadConfig(webhookDispatcherConfig, { ...ENV, ...over });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

test('by default no private range is allowed, waits are unscaled and limits have their documented values', () => {
  const config = loadConfig(webhookDispatcherConfig, ENV);

  expect(config).toMatchObject({
    WEBHOOK_SANDBOX_ALLOWED_CIDRS: [],
    WEBHOOK_VERIFIED_ENVIRONMENTS: ['LIVE'],
    WEBHOOK_DELIVERY_DAYS: 31,
    WEBHOOK_EVENT_DAYS: 90,
    WEBHOOK_TIME_SCALE: 1,
    WEBHOOK_SLOTS: 200,
    WEBHOOK_SLOTS_PER_ENDPOINT: 8,
  });
  expect(config.SECRET_ENCRYPTION_KEYS.map(({ id }) => id)).toEqual(['k2', 'k1']);
});

test.each([
  ['LIVE, SANDBOX', ['LIVE', 'SANDBOX']],
  ['none', []],
])('reads the environments that require verification from %s', (given, environments) => {
  const config = loadConfig(webhookDispatcherConfig, { ...ENV, WEBHOOK_VERIFIED_ENVIRONMENTS: given });

  expect(config.WEBHOOK_VERIFIED_ENVIRONMENTS).toEqual(environments);
});

test('ranges are read from a list', () => {
  const { WEBHOOK_SANDBOX_ALLOWED_CIDRS } = loadConfig(webhookDispatcherConfig, {
    ...ENV,
    WEBHOOK_SANDBOX_ALLOWED_CIDRS: '127.0.0.1/32, 10.0.0.0/8',
  });

  expect(WEBHOOK_SANDBOX_ALLOWED_CIDRS).toEqual(['127.0.0.1/32', '10.0.0.0/8']);
});

test.each([
  ['a range that is none', { WEBHOOK_SANDBOX_ALLOWED_CIDRS: '127.0.0.1' }, 'WEBHOOK_SANDBOX_ALLOWED_CIDRS'],
  ['an environment that is none', { WEBHOOK_VERIFIED_ENVIRONMENTS: 'PRODUCTION' }, 'WEBHOOK_VERIFIED_ENVIRONMENTS'],
  [
    'a retention that is not longer than a recovery reaches back',
    { WEBHOOK_DELIVERY_DAYS: '30' },
    'WEBHOOK_DELIVERY_DAYS: must be at least 31',
  ],
  ['a scale of nothing', { WEBHOOK_TIME_SCALE: '0' }, 'WEBHOOK_TIME_SCALE'],
  ['a scale that lengthens', { WEBHOOK_TIME_SCALE: '2' }, 'WEBHOOK_TIME_SCALE'],
  ['a short encryption key', { SECRET_ENCRYPTION_KEYS: 'k1:c2hvcnQ=' }, 'SECRET_ENCRYPTION_KEYS'],
  ['no encryption key', { SECRET_ENCRYPTION_KEYS: undefined }, 'SECRET_ENCRYPTION_KEYS'],
  ['a scale without NODE_ENV', { NODE_ENV: undefined, WEBHOOK_TIME_SCALE: '0.1' }, 'WEBHOOK_TIME_SCALE'],
  ['a scale in production', { NODE_ENV: 'production', WEBHOOK_TIME_SCALE: '0.1' }, 'WEBHOOK_TIME_SCALE'],
  ['an easy peer secret in production', { NODE_ENV: 'production', PEER_SECRET_DASHBOARD_API: 'd'.repeat(32) }, 'PEER_'],
  [
    'encryption keys of npm start in production',
    { NODE_ENV: 'production', SECRET_ENCRYPTION_KEYS: `local:${random()}` },
    'SECRET_ENCRYPTION_KEYS',
  ],
  [
    'encryption keys of equal bytes in production',
    { NODE_ENV: 'production', SECRET_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}` },
    'SECRET_ENCRYPTION_KEYS',
  ],
  [
    'private ranges in production',
    { NODE_ENV: 'production', WEBHOOK_SANDBOX_ALLOWED_CIDRS: '10.0.0.0/8' },
    'WEBHOOK_SANDBOX_ALLOWED_CIDRS',
  ],
])('%s is refused, naming the setting and no value', (_, over, key) => {
  const problems = problemsOf(over);

  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(key);
  expect(problems[0]).not.toContain('c2hvcnQ');
});

test('problems of production are reported beside settings that are missing', () => {
  const problems = problemsOf({
    NODE_ENV: 'production',
    PORT: undefined,
    WEBHOOK_TIME_SCALE: '0.1',
    WEBHOOK_SANDBOX_ALLOWED_CIDRS: '10.0.0.0/8',
    TRUSTED_PROXY_CIDRS: undefined,
  });

  expect(problems.map((problem) => problem.split(':')[0])).toEqual([
    ...['PORT', 'TRUSTED_PROXY_CIDRS', 'WEBHOOK_SANDBOX_ALLOWED_CIDRS', 'WEBHOOK_TIME_SCALE'],
  ]);
});

test('in production a second setting allows private ranges', () => {
  const over = { NODE_ENV: 'production', WEBHOOK_SANDBOX_ALLOWED_CIDRS: '10.0.0.0/8' };

  expect(problemsOf({ ...over, WEBHOOK_ALLOW_PRIVATE_IN_PRODUCTION: 'true' })).toEqual([]);
});

test('every setting is described', () => {
  expect(describeConfig(webhookDispatcherConfig).every(({ description }) => description.length > 10)).toBe(true);
});
