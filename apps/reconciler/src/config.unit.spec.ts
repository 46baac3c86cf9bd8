import { randomBytes } from 'node:crypto';
import { MIN_EXPIRY_GRACE_MS, WAITING_SMS } from '@pay/contracts';
import { ConfigError, loadConfig } from '@pay/runtime';
import { reconcilerConfig } from './config';

const environment = {
  NODE_ENV: 'test',
  PRIVATE_PORT: '9084',
  DATABASE_URL: 'postgres://reconciler@127.0.0.1/pay',
  AMQP_URL: 'amqp://127.0.0.1',
  INTENT_API_URL: 'http://127.0.0.1:9081',
  SMS_INGEST_URL: 'http://127.0.0.1:9082',
  CHECKOUT_API_URL: 'http://127.0.0.1:9083',
  DASHBOARD_API_URL: 'http://127.0.0.1:9086',
  PEER_SECRET_INTENT_API: 'i'.repeat(32),
  PEER_SECRET_SMS_INGEST: 's'.repeat(32),
  PEER_SECRET_CHECKOUT_API: 'c'.repeat(32),
  PEER_SECRET_DASHBOARD_API: 'd'.repeat(32),
  DECISION_CHAIN_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  EVENT_SIGNING_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  EVENT_VERIFICATION_KEYS: `sms-ingest/k1:${randomBytes(32).toString('base64')}`,
};

describe('the grace period of expiry', () => {
  const graceOf = (value?: string) =>
    loadConfig(reconcilerConfig, { ...environment, ...(value !== undefined && { EXPIRY_GRACE_MS: value }) })
      .EXPIRY_GRACE_MS;

  it('is longer than the time until every process of sms-ingest knows of a waiting SMS', () => {
    expect(MIN_EXPIRY_GRACE_MS).toBeGreaterThan(WAITING_SMS.reportedAfterMs + WAITING_SMS.reportIntervalMs);
    expect(graceOf()).toBeGreaterThanOrEqual(MIN_EXPIRY_GRACE_MS);
    expect(graceOf(String(MIN_EXPIRY_GRACE_MS))).toBe(MIN_EXPIRY_GRACE_MS);
  });

  it.each(['0', '1000', String(MIN_EXPIRY_GRACE_MS - 1)])('is refused at %s ms, with the reason', (value) => {
    expect(() => graceOf(value)).toThrow(ConfigError);
    expect(() => graceOf(value)).toThrow(
      `EXPIRY_GRACE_MS: must be at least ${MIN_EXPIRY_GRACE_MS}: sms-ingest reports an SMS that waits in its memory`,
    );
  });
});
