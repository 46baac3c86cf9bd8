import { createHmac, randomBytes } from 'node:crypto';
import { SERVICES, type ServiceName } from '@pay/contracts';
import pg from 'pg';
import type { Settings } from '../own-service';
import { databaseOf } from '../system';
import type { OwnSystem, Passwords } from './own-system';
import type { SettingsByService } from './rollout';

/** accept: every process accepts the new secret. use: the new secret signs. remove: the old secret is removed. */
export const PHASES = ['accept', 'use', 'remove'] as const;
export type Phase = (typeof PHASES)[number];

interface Step {
  readonly settings: SettingsByService;
  /** Runs before the first process gets the settings. */
  readonly before?: () => Promise<void>;
  /** Runs after the last process has got the settings. */
  readonly after?: () => Promise<void>;
}

/** The procedure of docs/rotating-secrets.md for one kind of secret. */
export interface Rotation {
  readonly name: string;
  readonly steps: Readonly<Partial<Record<Phase, Step>>>;
}

type CurrentSettings = (service: ServiceName) => Settings;

/** All kinds of secrets of the installation, with new random values. */
export function rotationsOf(system: OwnSystem, current: CurrentSettings): Rotation[] {
  return [
    sessionSecret(current),
    pairSecrets(current),
    eventKeys(current),
    encryptionKeys('SECRET_ENCRYPTION_KEYS', 'webhook-dispatcher', current),
    encryptionKeys('TOTP_ENCRYPTION_KEYS', 'dashboard-api', current),
    encryptionKeys('SMS_ENCRYPTION_KEYS', 'sms-ingest', current),
    forwarderKeys(current),
    encryptionKeys('DECISION_CHAIN_KEYS', 'reconciler', current),
    databasePasswords(system, current),
    brokerPasswords(system, current),
  ];
}

function sessionSecret(current: CurrentSettings): Rotation {
  const before = current('dashboard-api')['SESSION_SECRET'] ?? '';
  const after = newSecret();
  const with_ = (value: string) => ({ settings: { 'dashboard-api': { SESSION_SECRET: value } } });
  return {
    name: 'SESSION_SECRET',
    steps: { accept: with_(`${before},${after}`), use: with_(`${after},${before}`), remove: with_(after) },
  };
}

function pairSecrets(current: CurrentSettings): Rotation {
  // Both services of a pair derive the same secret from this value.
  const seed = randomBytes(32);
  const settings = (value: (before: string, after: string) => string): Step => ({
    settings: eachService((service) =>
      Object.fromEntries(
        Object.entries(current(service))
          .filter(([name]) => name.startsWith('PEER_SECRET_'))
          .map(([name, before]) => [name, value(before, createHmac('sha256', seed).update(before).digest('hex'))]),
      ),
    ),
  });
  return {
    name: 'PEER_SECRET_*',
    steps: {
      accept: settings((before, after) => `${before},${after}`),
      use: settings((before, after) => `${after},${before}`),
      remove: settings((_, after) => after),
    },
  };
}

/**
 * First every process verifies with both keys, then the new one signs, then the old one is removed. A service also
 * verifies messages of its retry queues, which it has signed itself.
 */
function eventKeys(current: CurrentSettings): Rotation {
  const before = eachService((service) => current(service)['EVENT_SIGNING_KEYS'] ?? '');
  const after = eachService(() => newKey());
  const oldFirst = eachService((service) => `${before[service]},${after[service]}`);
  const newFirst = eachService((service) => `${after[service]},${before[service]}`);
  const settings = (signing: Passwords): Step => ({
    settings: eachService((service) => ({
      EVENT_SIGNING_KEYS: signing[service],
      EVENT_VERIFICATION_KEYS: verificationKeys(service, signing, current(service)['EVENT_VERIFICATION_KEYS'] ?? ''),
    })),
  });
  return {
    name: 'EVENT_SIGNING_KEYS and EVENT_VERIFICATION_KEYS',
    steps: { accept: settings(oldFirst), use: settings(newFirst), remove: settings(after) },
  };
}

/**
 * Computed by hand; an operator uses `node tools/broker.mjs verification-keys`. Contains the publishers of the previous
 * setting.
 */
function verificationKeys(consumer: ServiceName, signing: Passwords, former: string): string {
  const publishers = SERVICES.filter((service) => former.split(',').some((entry) => entry.startsWith(`${service}/`)));
  return publishers
    .flatMap((publisher) =>
      signing[publisher].split(',').map((entry) => {
        const [id = '', key = ''] = entry.split(':');
        const derived = createHmac('sha256', Buffer.from(key, 'base64')).update(`pay event verification: ${consumer}`);
        return `${publisher}/${id}:${derived.digest('base64')}`;
      }),
    )
    .join(',');
}

/** The old key stays, because stored values contain its id. */
function encryptionKeys(setting: string, service: ServiceName, current: CurrentSettings): Rotation {
  const before = current(service)[setting] ?? '';
  const after = newKey();
  const step = (value: string) => ({ settings: { [service]: { [setting]: value } } });
  return { name: setting, steps: { accept: step(`${before},${after}`), use: step(`${after},${before}`) } };
}

function forwarderKeys(current: CurrentSettings): Rotation {
  const before = current('sms-ingest')['FORWARDER_SECRET_KEYS'] ?? '';
  const after = newKey();
  const step = (value: string) => ({
    settings: { 'sms-ingest': { FORWARDER_SECRET_KEYS: value }, 'dashboard-api': { FORWARDER_SECRET_KEYS: value } },
  });
  return {
    name: 'FORWARDER_SECRET_KEYS',
    steps: { accept: step(`${before},${after}`), use: step(`${after},${before}`) },
  };
}

/** A second role acts as the first one while the password of the first one changes. */
function databasePasswords(system: OwnSystem, current: CurrentSettings): Rotation {
  const between = eachService(() => newSecret());
  const after = eachService(() => newSecret());
  const onEach = async (statements: (role: string, service: ServiceName) => readonly string[]) => {
    for (const service of SERVICES) {
      const client = new pg.Client({ connectionString: databaseOf(system.description, service) });
      await client.connect();
      try {
        for (const text of statements(service.replaceAll('-', '_'), service)) await client.query(text);
      } finally {
        await client.end();
      }
    }
  };
  const as = (suffix: string, passwords: Passwords): SettingsByService =>
    eachService((service) => ({
      DATABASE_URL: withUser(
        current(service)['DATABASE_URL'] ?? '',
        `${service.replaceAll('-', '_')}${suffix}`,
        passwords[service],
      ),
    }));
  return {
    name: 'DATABASE_URL (passwords of database roles)',
    steps: {
      accept: {
        before: () =>
          onEach((role, service) => [
            `create role ${role}_b login password '${between[service]}' in role ${role}`,
            `alter role ${role}_b set role = ${role}`,
            `alter role ${role}_b set search_path = ${role}`,
            `alter role ${role}_b set timezone = 'UTC'`,
          ]),
        settings: as('_b', between),
      },
      use: {
        before: () => onEach((role, service) => [`alter role ${role} password '${after[service]}'`]),
        settings: as('', after),
        after: () => onEach((role) => [`drop role ${role}_b`]),
      },
    },
  };
}

/** A second account gets the same permissions, and the first one is deleted. */
function brokerPasswords(system: OwnSystem, current: CurrentSettings): Rotation {
  const after = eachService(() => newSecret());
  const isAccount = (key: string, value: unknown) =>
    (key === 'user' || key === 'name') && SERVICES.some((service) => service === value);
  const makeAccounts = async () => {
    const text = JSON.stringify(await system.brokerDefinitions(after), (key, value: unknown) =>
      isAccount(key, value) ? `${String(value)}-b` : value,
    );
    await system.broker.importDefinitions(JSON.parse(text) as object);
  };
  return {
    name: 'AMQP_URL (accounts of RabbitMQ)',
    steps: {
      accept: {
        before: makeAccounts,
        settings: eachService((service) => ({
          AMQP_URL: withUser(current(service)['AMQP_URL'] ?? '', `${service}-b`, after[service]),
        })),
        after: async () => {
          for (const service of SERVICES) await system.broker.ctl('delete_user', service);
        },
      },
    },
  };
}

function withUser(url: string, user: string, password: string): string {
  const changed = new URL(url);
  changed.username = user;
  changed.password = password;
  return changed.toString();
}

function eachService<Value>(valueOf: (service: ServiceName) => Value): Record<ServiceName, Value> {
  return Object.fromEntries(SERVICES.map((service) => [service, valueOf(service)])) as Record<ServiceName, Value>;
}

function newSecret(): string {
  return randomBytes(32).toString('hex');
}

function newKey(): string {
  return `r${randomBytes(3).toString('hex')}:${randomBytes(32).toString('base64')}`;
}
