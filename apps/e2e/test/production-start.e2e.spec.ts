import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { SERVICES } from '@pay/contracts';

const DIST = resolve(__dirname, '..', '..', '..', 'dist', 'apps');
const WEAK_KEYS = `local:${randomBytes(32).toString('base64')}`;
const ADDRESS = 'http://127.0.0.1:1';

/** Settings of all six services as a careless operator would copy them from a development set-up. */
const CARELESS: Record<string, string> = {
  PORT: '0',
  PRIVATE_PORT: '0',
  DATABASE_URL: 'postgres://pay:pay@db.internal/pay',
  AMQP_URL: 'amqp://broker.internal',
  ...Object.fromEntries(
    SERVICES.map((service) => service.toUpperCase().replaceAll('-', '_')).flatMap((name) => [
      [`${name}_URL`, ADDRESS],
      [`PEER_SECRET_${name}`, `dev-${name}-0123456789abcdef0123456789abcdef`],
    ]),
  ),
  CHECKOUT_URL: ADDRESS,
  PUBLIC_API_URL: ADDRESS,
  SESSION_SECRET: 'x'.repeat(40),
  SECRET_ENCRYPTION_KEYS: WEAK_KEYS,
  TOTP_ENCRYPTION_KEYS: WEAK_KEYS,
  SMS_ENCRYPTION_KEYS: WEAK_KEYS,
  FORWARDER_SECRET_KEYS: WEAK_KEYS,
  DECISION_CHAIN_KEYS: WEAK_KEYS,
};

async function run(file: string, env: Record<string, string>): Promise<{ code: number; output: string }> {
  const node = process.env['SERVICE_NODE'] ?? process.execPath;
  return new Promise((resolve) => {
    execFile(node, [file], { env: { PATH: process.env['PATH'] ?? '', ...env } }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });
}

describe('without NODE_ENV', () => {
  test.each(SERVICES)(
    '%s does not start with development secrets, and names all of their settings',
    async (service) => {
      const { code, output } = await run(join(DIST, service, 'main.js'), CARELESS);

      expect(code).toBe(1);
      expect(output).toContain('DATABASE_URL: must not be used in production: its password has fewer than 16');
      expect(output).toContain('DATABASE_URL: must end in ?sslmode=verify-full');
      expect(output).toContain('AMQP_URL: must contain a password');
      expect(output).toContain('AMQP_URL: must be an amqps:// URL');
      expect(output).toMatch(/PEER_SECRET_\w+: must not be used in production: it contains a word/);
      if (service !== 'reconciler') expect(output).toContain('TRUSTED_PROXY_CIDRS: is required in production');
      if (service === 'dashboard-api') expect(output).toContain('SESSION_SECRET: must not be used');
      if (!['intent-api', 'checkout-api'].includes(service)) expect(output).toMatch(/_KEYS: must not be used/);
      for (const value of ['pay:pay', '0123456789abcdef', WEAK_KEYS]) expect(output).not.toContain(value);
    },
  );

  test.each(SERVICES)('the migrations of %s do not connect with a weak password or without TLS', async (service) => {
    const { code, output } = await run(join(DIST, service, 'migrate.js'), CARELESS);

    expect(code).toBe(1);
    expect(output).toContain('DATABASE_URL: must end in ?sslmode=verify-full');
    expect(output).not.toContain('pay:pay');
  });
});
