import { SERVICES, type ServiceName } from '@pay/contracts';
import type { Seed } from './seed-file';
import { serviceEnvironment, type Installation } from './service-environment';

const eachService = <Value>(valueOf: (service: ServiceName, index: number) => Value) =>
  Object.fromEntries(SERVICES.map((service, index) => [service, valueOf(service, index)])) as Record<
    ServiceName,
    Value
  >;

const pairs = SERVICES.flatMap((one) => SERVICES.filter((other) => one < other).map((other) => `${one}+${other}`));
const installation: Installation = {
  seed: {
    merchants: [],
    rolePasswords: eachService(() => 'role'),
    brokerPasswords: eachService(() => 'broker'),
    eventSigningKeys: eachService((_, index) => `local:${Buffer.alloc(32, index).toString('base64')}`),
    peerSecrets: Object.fromEntries(pairs.map((pair) => [pair, `secret of ${pair}`])),
    secretEncryptionKeys: 'local:key',
    totpEncryptionKeys: 'local:other',
    smsEncryptionKeys: 'local:texts',
    forwarderSecretKeys: 'local:third',
    decisionChainKeys: 'local:decisions',
    sessionSecret: 'session',
  } satisfies Seed,
  ports: eachService((_, index) => ({ port: 5000 + index, privatePort: 6000 + index })),
  databaseUrls: eachService((service) => `postgres://${service}@127.0.0.1/pay`),
  amqpUrl: 'amqp://127.0.0.1',
  amqpUrls: eachService((service) => `amqp://${service}@127.0.0.1`),
  baseUrl: 'http://127.0.0.1:8080',
  mailDirectory: '/run/mail',
};
const OUTER = { PATH: '/bin', HOME: '/home/dev', AWS_SECRET_ACCESS_KEY: 'not ours', DATABASE_URL: 'of the superuser' };

describe('the environment of a service', () => {
  it("holds its own ports, its own role's database and nothing of the developer's shell", () => {
    const env = serviceEnvironment('intent-api', installation, OUTER);

    expect(env).toMatchObject({
      PATH: '/bin',
      NODE_ENV: 'development',
      PORT: '5000',
      PRIVATE_PORT: '6000',
      DATABASE_URL: 'postgres://intent-api@127.0.0.1/pay',
      AMQP_URL: 'amqp://intent-api@127.0.0.1',
      CHECKOUT_URL: 'http://127.0.0.1:8080/checkout',
    });
    expect(env).not.toHaveProperty('AWS_SECRET_ACCESS_KEY');
  });

  it('gives two peers the same secret, and the address of the other', () => {
    const checkout = serviceEnvironment('checkout-api', installation, OUTER);
    const reconciler = serviceEnvironment('reconciler', installation, OUTER);

    expect(checkout['PEER_SECRET_RECONCILER']).toBe('secret of checkout-api+reconciler');
    expect(reconciler['PEER_SECRET_CHECKOUT_API']).toBe(checkout['PEER_SECRET_RECONCILER']);
    expect(checkout['RECONCILER_URL']).toBe('http://127.0.0.1:6003');
  });

  it('does not contain secrets of two other services', () => {
    const env = serviceEnvironment('webhook-dispatcher', installation, OUTER);

    expect(Object.keys(env).filter((name) => name.startsWith('PEER_SECRET_'))).toEqual(['PEER_SECRET_DASHBOARD_API']);
  });

  it('contains the signing key of its own events only, and a verification key for each service whose events it consumes', () => {
    const envs = eachService((service) => serviceEnvironment(service, installation, OUTER));

    expect(envs['webhook-dispatcher']['EVENT_SIGNING_KEYS']).toBe(
      installation.seed.eventSigningKeys['webhook-dispatcher'],
    );
    for (const [service, env] of Object.entries(envs)) {
      const others = SERVICES.filter((other) => other !== service).map(
        (other) => installation.seed.eventSigningKeys[other],
      );
      const text = JSON.stringify(env);
      for (const key of others) expect(text).not.toContain(key.slice('local:'.length));
    }
    const publishers = (envs['dashboard-api']['EVENT_VERIFICATION_KEYS'] ?? '')
      .split(',')
      .map((entry) => entry.split('/')[0]);
    expect(publishers).toEqual(SERVICES.filter((service) => service !== 'dashboard-api'));
  });

  it('opens loopback to sandbox webhooks, and to the dispatcher alone gives the keys of endpoint secrets', () => {
    const holders = SERVICES.filter(
      (service) => 'SECRET_ENCRYPTION_KEYS' in serviceEnvironment(service, installation, OUTER),
    );

    expect(holders).toEqual(['webhook-dispatcher']);
    expect(serviceEnvironment('webhook-dispatcher', installation, OUTER)['WEBHOOK_SANDBOX_ALLOWED_CIDRS']).toBe(
      '127.0.0.1/32',
    );
  });

  it('gives dashboard-api alone what sessions are made of, and room for many log-ins from one address', () => {
    const holders = SERVICES.filter((service) => 'SESSION_SECRET' in serviceEnvironment(service, installation, OUTER));

    expect(holders).toEqual(['dashboard-api']);
    expect(serviceEnvironment('dashboard-api', installation, OUTER)).toMatchObject({
      SESSION_SECRET: 'session',
      TOTP_ENCRYPTION_KEYS: 'local:other',
      LOGIN_LIMIT_PER_ADDRESS: '1000',
      RATE_LIMIT_USER_PER_SECOND: '1000000',
      MAIL_DIRECTORY: '/run/mail',
      DASHBOARD_URL: `${installation.baseUrl}/dashboard`,
      TRUSTED_PROXY_CIDRS: '127.0.0.1/32',
    });
  });

  it('lets one address play many customers, and keeps the limits of LIVE keys', () => {
    expect(serviceEnvironment('intent-api', installation, OUTER)).toMatchObject({
      RATE_LIMIT_SANDBOX_PER_SECOND: '1000000',
      RATE_LIMIT_SANDBOX_MERCHANT_PER_SECOND: '1000000',
    });
    expect(serviceEnvironment('intent-api', installation, OUTER)).not.toHaveProperty('RATE_LIMIT_LIVE_PER_SECOND');
    const env = serviceEnvironment('checkout-api', installation, { ...OUTER, RATE_LIMIT_CONFIRMS_PER_MINUTE: '10' });
    expect(env).toMatchObject({ RATE_LIMIT_VIEWS_PER_MINUTE: '1000000', RATE_LIMIT_CONFIRMS_PER_MINUTE: '10' });
  });

  it('lets the user override settings that are meant to be overridden', () => {
    const env = serviceEnvironment('reconciler', installation, {
      ...OUTER,
      LOG_LEVEL: 'debug',
      DATABASE_POOL_SIZE: '3',
    });

    expect(env).toMatchObject({ LOG_LEVEL: 'debug', DATABASE_POOL_SIZE: '3' });
  });
});
