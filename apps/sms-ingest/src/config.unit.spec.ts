import { ConfigError, describeConfig, loadConfig } from '@pay/runtime';
import { smsIngestConfig } from './config';

const environment = {
  PORT: '8082',
  PRIVATE_PORT: '9082',
  DATABASE_URL: 'postgres://sms_ingest@127.0.0.1/pay',
  AMQP_URL: 'amqp://127.0.0.1',
  DASHBOARD_API_URL: 'http://127.0.0.1:9086',
  PEER_SECRET_DASHBOARD_API: 'd'.repeat(32),
  PEER_SECRET_RECONCILER: 'r'.repeat(32),
};

describe('the environment of sms-ingest', () => {
  it('trusts the providers’ own sender ids unless it is told otherwise', () => {
    expect(loadConfig(smsIngestConfig, environment)).toMatchObject({
      BKASH_SENDER_IDS: ['bKash'],
      NAGAD_SENDER_IDS: ['NAGAD'],
    });
  });

  it('reads sender ids as a list', () => {
    const config = loadConfig(smsIngestConfig, { ...environment, BKASH_SENDER_IDS: ' bKash , bKash-2,' });
    expect(config.BKASH_SENDER_IDS).toEqual(['bKash', 'bKash-2']);
  });

  it('does not start without anybody to trust', () => {
    expect(() => loadConfig(smsIngestConfig, { ...environment, NAGAD_SENDER_IDS: ' , ' })).toThrow(ConfigError);
  });

  it('describes every key', () => {
    expect(describeConfig(smsIngestConfig).length).toBeGreaterThan(14);
  });
});
