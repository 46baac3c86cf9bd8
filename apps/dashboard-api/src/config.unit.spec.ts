import { describeConfig, loadConfig, secretSettingsOf } from '@pay/runtime';
import { dashboardApiConfig, dashboardServiceConfig } from './config';

const SECRET = 'x'.repeat(32);
const REQUIRED = {
  NODE_ENV: 'test',
  PORT: '1',
  PRIVATE_PORT: '2',
  DATABASE_URL: 'postgres://dashboard_api@127.0.0.1/pay',
  AMQP_URL: 'amqp://127.0.0.1',
  PEER_SECRET_CHECKOUT_API: SECRET,
  PEER_SECRET_INTENT_API: SECRET,
  PEER_SECRET_RECONCILER: SECRET,
  PEER_SECRET_SMS_INGEST: SECRET,
  PEER_SECRET_WEBHOOK_DISPATCHER: SECRET,
  RECONCILER_URL: 'http://127.0.0.1:9083',
  CHECKOUT_API_URL: 'http://127.0.0.1:9085',
  INTENT_API_URL: 'http://127.0.0.1:9081',
  WEBHOOK_DISPATCHER_URL: 'http://127.0.0.1:9084',
  SMS_INGEST_URL: 'http://127.0.0.1:9082',
  PUBLIC_API_URL: 'https://api.shop.example',
  SMTP_URL: 'smtps://mail.shop.example',
  MAIL_FROM: 'gateway@shop.example',
  SESSION_SECRET: SECRET,
  FORWARDER_SECRET_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  TOTP_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  EVENT_SIGNING_KEYS: `k1:${Buffer.alloc(32, 2).toString('base64')}`,
  EVENT_VERIFICATION_KEYS: `reconciler/k1:${Buffer.alloc(32, 3).toString('base64')}`,
};

describe('dashboardApiConfig', () => {
  it('describes every key', () => {
    expect(describeConfig(dashboardApiConfig).every((row) => row.description.length > 10)).toBe(true);
  });

  it('login and pairing limits are those of the conventions unless set', () => {
    expect(loadConfig(dashboardApiConfig, REQUIRED)).toMatchObject({
      LOGIN_LIMIT_PER_ACCOUNT: 5,
      LOGIN_LIMIT_ACCOUNT_SECONDS: 300,
      LOGIN_LIMIT_PER_ADDRESS: 10,
      LOGIN_LIMIT_UNKNOWN_BROWSERS: 50,
      LOGIN_LIMIT_UNKNOWN_BROWSERS_SECONDS: 3_600,
      API_KEYS_PER_ENVIRONMENT: 20,
      RATE_LIMIT_USER_PER_SECOND: 50,
    });
  });

  it('the payment audit runs every 30 seconds unless set', () => {
    expect(loadConfig(dashboardApiConfig, REQUIRED)).toMatchObject({ PAYMENT_AUDIT_SECONDS: 30 });
  });

  it.each<[string, Record<string, string>, string]>([
    ['a payment audit that reports too late', { PAYMENT_AUDIT_SECONDS: '46' }, 'PAYMENT_AUDIT_SECONDS: must be'],
    ['no mail server in production', { NODE_ENV: 'production', SMTP_URL: '' }, 'SMTP_URL: is required'],
    ['no sender in production', { NODE_ENV: 'production', MAIL_FROM: '' }, 'MAIL_FROM: is required'],
    [
      'a mail folder in production',
      { NODE_ENV: 'production', MAIL_DIRECTORY: '/tmp' },
      'MAIL_DIRECTORY: is not allowed',
    ],
    [
      'a weak mail password in production',
      { NODE_ENV: 'production', SMTP_URL: 'smtps://gateway:password@mail.shop.example' },
      'SMTP_URL: must not be used in production: its password',
    ],
    ['neither a mail server nor a folder', { SMTP_URL: '' }, 'SMTP_URL: is required'],
  ])('refuses %s', (_name, change, sentence) => {
    expect(() => loadConfig(dashboardServiceConfig, { ...REQUIRED, ...change })).toThrow(sentence);
  });

  it('reports the age of the mail password as that of every secret', () => {
    expect(secretSettingsOf(dashboardApiConfig)).toContain('SMTP_URL');
  });

  it('a production start refuses development secrets', () => {
    const inProduction = () => loadConfig(dashboardApiConfig, { ...REQUIRED, NODE_ENV: 'production' });

    for (const key of Object.keys(REQUIRED).filter((name) => /SECRET|KEYS/.test(name))) {
      expect(inProduction).toThrow(`${key}: must not be used in production`);
    }
  });

  it('has no default for a secret and refuses a short one', () => {
    expect(loadConfig(dashboardApiConfig, REQUIRED).HOST).toBe('127.0.0.1');
    expect(() => loadConfig(dashboardApiConfig, { ...REQUIRED, PEER_SECRET_SMS_INGEST: '' })).toThrow(
      'PEER_SECRET_SMS_INGEST: is required',
    );
    expect(() => loadConfig(dashboardApiConfig, { ...REQUIRED, PEER_SECRET_INTENT_API: 'short' })).toThrow(
      'at least 32',
    );
  });
});
