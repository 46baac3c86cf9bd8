import { createHmac } from 'node:crypto';
import { SERVICES, type ServiceName } from '@pay/contracts';
import type { Settings } from '../own-service';
import { PHASES, rotationsOf } from './rotations';

type SettingsOfAll = Readonly<Record<ServiceName, Settings>>;

const eachService = <Value>(valueOf: (service: ServiceName) => Value) =>
  Object.fromEntries(SERVICES.map((service) => [service, valueOf(service)])) as Record<ServiceName, Value>;
const key = (text: string) => Buffer.from(text.padEnd(32, '.')).toString('base64');
const peerSetting = (service: ServiceName) => `PEER_SECRET_${service.toUpperCase().replaceAll('-', '_')}`;
const first = (list = '') => list.split(',')[0] ?? '';

function verificationKey(consumer: ServiceName, publisher: ServiceName, signingKey: string): string {
  const [id, value = ''] = signingKey.split(':');
  const derived = createHmac('sha256', Buffer.from(value, 'base64')).update(`pay event verification: ${consumer}`);
  return `${publisher}/${id}:${derived.digest('base64')}`;
}

const SIGNING = eachService((service) => `k1:${key(service)}`);
const FORMER: SettingsOfAll = eachService((service) => ({
  DATABASE_URL: `postgres://${service.replaceAll('-', '_')}:old@127.0.0.1/${service}`,
  AMQP_URL: `amqp://${service}:old@127.0.0.1`,
  EVENT_SIGNING_KEYS: SIGNING[service],
  EVENT_VERIFICATION_KEYS: SERVICES.map((publisher) => verificationKey(service, publisher, SIGNING[publisher])).join(),
  ...Object.fromEntries(
    SERVICES.filter((peer) => peer !== service).map((peer) => [peerSetting(peer), [service, peer].sort().join('+')]),
  ),
  SESSION_SECRET: 'session',
  SECRET_ENCRYPTION_KEYS: `k1:${key('endpoints')}`,
  TOTP_ENCRYPTION_KEYS: `k1:${key('second factors')}`,
  SMS_ENCRYPTION_KEYS: `k1:${key('texts')}`,
  FORWARDER_SECRET_KEYS: `k1:${key('hooks')}`,
  DECISION_CHAIN_KEYS: `k1:${key('decisions')}`,
}));

/** The settings before a rotation of all secrets and after each of its deployments. */
function deployments(): SettingsOfAll[] {
  // Only the steps before and after a deployment use the system.
  const rotations = rotationsOf(undefined as never, (service) => FORMER[service]);
  const all = [FORMER];
  for (const phase of PHASES) {
    const changes = rotations.map(({ steps }) => steps[phase]?.settings ?? {});
    const before = all.at(-1) ?? FORMER;
    all.push(eachService((service) => Object.assign({}, before[service], ...changes.map((each) => each[service]))));
  }
  return all;
}

/** In a rolling update, processes with the previous and the new settings run at the same time. */
const SIDE_BY_SIDE = deployments().flatMap((settings, index, all) =>
  index === 0 ? [] : ([[all[index - 1], settings] as const, [settings, all[index - 1]] as const] as const),
) as (readonly [SettingsOfAll, SettingsOfAll])[];

describe.each(SIDE_BY_SIDE)('while a rotation is deployed (case %#)', (sender, receiver) => {
  test('every service accepts the tokens of its peers', () => {
    for (const service of SERVICES)
      for (const peer of SERVICES.filter((each) => each !== service)) {
        const accepted = receiver[peer][peerSetting(service)]?.split(',');
        expect(accepted).toContain(first(sender[service][peerSetting(peer)]));
      }
  });

  test('every consumer can verify the events of every publisher', () => {
    for (const publisher of SERVICES)
      for (const consumer of SERVICES) {
        const accepted = receiver[consumer]['EVENT_VERIFICATION_KEYS']?.split(',');
        const signsWith = first(sender[publisher]['EVENT_SIGNING_KEYS']);
        expect(accepted).toContain(verificationKey(consumer, publisher, signsWith));
      }
  });

  test('every process of a service can verify the events that another one has moved to a retry queue', () => {
    for (const service of SERVICES) {
      const own = receiver[service]['EVENT_SIGNING_KEYS']?.split(',');
      expect(own).toContain(first(sender[service]['EVENT_SIGNING_KEYS']));
    }
  });

  test.each([
    ['SESSION_SECRET', 'dashboard-api', 'dashboard-api'],
    ['SECRET_ENCRYPTION_KEYS', 'webhook-dispatcher', 'webhook-dispatcher'],
    ['TOTP_ENCRYPTION_KEYS', 'dashboard-api', 'dashboard-api'],
    ['SMS_ENCRYPTION_KEYS', 'sms-ingest', 'sms-ingest'],
    ['FORWARDER_SECRET_KEYS', 'dashboard-api', 'sms-ingest'],
    ['DECISION_CHAIN_KEYS', 'reconciler', 'reconciler'],
  ] as const)('a value that uses the first of %s of %s can be read by %s', (setting, writer, reader) => {
    expect(receiver[reader][setting]?.split(',')).toContain(first(sender[writer][setting]));
  });
});

test('after a rotation nothing of an old secret is left, except keys of stored values', () => {
  const after = deployments().at(-1) ?? FORMER;
  const STORED = ['SECRET_', 'TOTP_', 'SMS_', 'FORWARDER_', 'DECISION_'];

  for (const service of SERVICES) {
    for (const [setting, before] of Object.entries(FORMER[service])) {
      if (STORED.some((start) => setting.startsWith(start))) continue;
      if (setting === 'SESSION_SECRET' && service !== 'dashboard-api') continue;
      const left = before.split(',').filter((secret) => after[service][setting]?.includes(secret));
      expect({ service, setting, left }).toEqual({ service, setting, left: [] });
    }
  }
  expect(after.reconciler['DECISION_CHAIN_KEYS']?.split(',')[1]).toBe(FORMER.reconciler['DECISION_CHAIN_KEYS']);
});
