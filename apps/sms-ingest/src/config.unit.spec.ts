import { randomBytes } from 'node:crypto';
import { ConfigError, describeConfig, loadConfig } from '@pay/runtime';
import { smsIngestConfig } from './config';

const environment = {
  NODE_ENV: 'test',
  PORT: '8082',
  PRIVATE_PORT: '9082',
  DATABASE_URL: 'postgres://sms_ingest@127.0.0.1/pay',
  AMQP_URL: 'amqp://127.0.0.1',
  DASHBOARD_API_URL: 'http://127.0.0.1:9086',
  SMS_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  PEER_SECRET_DASHBOARD_API: 'd'.repeat(32),
  FORWARDER_SECRET_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  PEER_SECRET_RECONCILER: 'r'.repeat(32),
  EVENT_SIGNING_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  EVENT_VERIFICATION_KEYS: `reconciler/k1:${randomBytes(32).toString('base64')}`,
};

describe('the environment of sms-ingest', () => {
  it('trusts the sender ids of the providers by default', () => {
    expect(loadConfig(smsIngestConfig, environment)).toMatchObject({
      BKASH_SENDER_IDS: ['bKash'],
      NAGAD_SENDER_IDS: ['NAGAD', 'Nagad'],
    });
  });

  it('reads sender ids as a list', () => {
    const config = loadConfig(smsIngestConfig, { ...environment, BKASH_SENDER_IDS: ' bKash , bKash-2,' });
    expect(config.BKASH_SENDER_IDS).toEqual(['bKash', 'bKash-2']);
  });

  it('does not start without a trusted sender', () => {
    expect(() => loadConfig(smsIngestConfig, { ...environment, NAGAD_SENDER_IDS: ' , ' })).toThrow(ConfigError);
  });

  it('does not store other people’s texts under a key of a development set-up', () => {
    const production = {
      ...environment,
      NODE_ENV: 'production',
      PEER_SECRET_DASHBOARD_API: 'q7Zk-2pRm-x9Lw-5tNc-8vBh-3jYf-6sGd-1aQe',
    };
    const local = { ...production, SMS_ENCRYPTION_KEYS: `local:${randomBytes(32).toString('base64')}` };

    expect(() => loadConfig(smsIngestConfig, local)).toThrow(/SMS_ENCRYPTION_KEYS: must not be used in production/);
    expect(() => loadConfig(smsIngestConfig, production)).not.toThrow(/SMS_ENCRYPTION_KEYS/);
  });

  it('describes every key', () => {
    expect(describeConfig(smsIngestConfig).length).toBeGreaterThan(14);
  });
});
