import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { DeviceFact, Environment, EventOf, PaymentMethod, ServiceName } from '@pay/contracts';
import { newCredential, openDirectory } from '@pay/directory';
import { hashKey, httpServer, ServiceCallFailed, serviceClient, type HttpServer, type ServiceClient } from '@pay/http';
import { type Messaging } from '@pay/messaging';
import { dropNamespace, openTestMessaging } from '@pay/messaging/testing';
import { migrate, openDatabase, type Database } from '@pay/persistence';
import {
  createLogger,
  createMetrics,
  createSecretBox,
  type EncryptionKey,
  type Metrics,
  type Worker,
} from '@pay/runtime';
import { amqpUrl, eventually, testDatabase, testNamespace } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import type { SmsIngestConfig } from '../src/config';
import { createService } from '../src/create-service';
import { migrations } from '../src/db/migrations';
import { followDisabledDevices } from '../src/devices/follow-disabled-devices';
import type { IntakeLimits } from '../src/intake/limit-intake';
import { openSmsSecrets } from '../src/intake/open-sms-secrets';
import type { RawSms, SmsSecrets } from '../src/intake/sms-secrets';
import type { TextRetention } from '../src/texts/delete-old-texts';
import type { Readers } from '../src/domain/parse-sms';

export const RECONCILER_SECRET = 'r'.repeat(32);
const DASHBOARD_SECRET = 'd'.repeat(32);
const DEVICE_SETTINGS = { DEVICE_OFFLINE_SECONDS: 180, DEVICE_ALERT_SECONDS: 300, DEVICE_REREAD_ASKS: 3 };
const KEY: EncryptionKey = { id: 'test', key: randomBytes(32) };
const KEYS = [KEY];
const INTAKE_LIMITS: IntakeLimits = {
  RATE_LIMIT_DEVICE_PER_SECOND: 1_000_000,
  RATE_LIMIT_UNAUTHORIZED_PER_MINUTE: 1_000_000,
  SMS_WAITING_PER_DEVICE: 2_000,
  SMS_WAITING_PER_MERCHANT: 5_000,
  SMS_WAITING: 10_000,
  SMS_LONGEST_WAIT_MS: 60_000,
};
/** dashboard-api's box, which shares its key with the service. */
const HOOK_KEYS = [{ id: 'h1', key: randomBytes(32) }];
export const hookSecrets = createSecretBox(HOOK_KEYS, 'forwarder_hook');
const service = 'sms-ingest' satisfies ServiceName;

const silent = createLogger({ service, level: 'silent' });

export interface ServiceUnderTest {
  readonly url: string;
  readonly databaseUrl: string;
  readonly namespace: string;
  readonly db: Database;
  readonly messaging: Messaging;
  readonly metrics: Metrics;
  /** sms-ingest's internal routes, as the reconciler calls them. */
  readonly asReconciler: ServiceClient;
  /** The same, as dashboard-api calls them. */
  readonly asDashboard: ServiceClient;
  readonly lines: Record<string, unknown>[];
  readonly secrets: SmsSecrets;
  readonly keys: readonly EncryptionKey[];
  /** What a phone has sent, as the row of its event still holds it. */
  textOf(smsEventId: string): Promise<RawSms>;
  /** Every event that the service has put into its outbox, in order. */
  announced(): Promise<EventOf[]>;
  stop(): Promise<void>;
}

export interface ServiceGiven {
  /** dashboard-api's internal routes; unavailable if absent. */
  readonly dashboardApi?: Pick<ServiceClient, 'request'>;
  readonly pairingsPerMinute?: number;
  /** Parsers that are not the usual ones. */
  readonly readers?: Readers;
  readonly keys?: readonly EncryptionKey[];
  readonly retention?: TextRetention;
  readonly limits?: Partial<IntakeLimits & Pick<SmsIngestConfig, 'MISSING_SMS_GRACE_SECONDS'>>;
  /** Other services whose queues the spec consumes. */
  readonly consumesFor?: readonly ServiceName[];
  /** Workers whose work the spec does itself. */
  readonly without?: readonly string[];
  /** The clock of the service; that of this machine when absent. */
  readonly now?: () => Date;
}

const nobody: Pick<ServiceClient, 'request'> = {
  request: () => Promise.reject(new ServiceCallFailed('unavailable', 'dashboard-api', 'no answer')),
};

/** sms-ingest as composed by main.ts, with its own database and queues and real ports. */
export async function startService(given: ServiceGiven = {}): Promise<ServiceUnderTest> {
  const { dashboardApi = nobody, pairingsPerMinute = 1_000_000, readers, keys = KEYS } = given;
  const database = await testDatabase({ service, migrate: (url) => migrate({ url, migrations, log: silent }) });
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createLogger({ service, level: 'info', destination });
  const metrics = createMetrics(service);
  const { now = () => new Date() } = given;
  const namespace = testNamespace();
  const db = await openDatabase({ url: database.url, poolSize: 8, applicationName: service, log, migrations });
  const intakeDb = await openDatabase({ url: database.url, poolSize: 1, applicationName: service, log, migrations });
  const secrets = await openSmsSecrets(db, keys, now());
  const { consumesFor = [] } = given;
  const messaging = await openTestMessaging({ url: amqpUrl(), namespace, service, db, log, metrics, consumesFor });
  const directory = openDirectory({
    db,
    messaging,
    service,
    lookup: dashboardApi,
    onChange: followDisabledDevices,
    log,
    now,
    kinds: ['merchant', 'receiver_account', 'device'],
  });
  const { app, internalApp, workers } = createService({
    config: {
      BKASH_SENDER_IDS: ['bKash'],
      NAGAD_SENDER_IDS: ['NAGAD'],
      ROCKET_SENDER_IDS: ['16216'],
      UPAY_SENDER_IDS: ['upay'],
      BKASH_NOTICE_SENDER_IDS: ['16247'],
      NAGAD_NOTICE_SENDER_IDS: [],
      DASHBOARD_API_URL: 'http://dashboard-api.invalid',
      PEER_SECRET_RECONCILER: [RECONCILER_SECRET],
      PEER_SECRET_DASHBOARD_API: [DASHBOARD_SECRET],
      SMS_ENCRYPTION_KEYS: keys,
      FORWARDER_SECRET_KEYS: HOOK_KEYS,
      SMS_TEXT_RETENTION_DAYS: given.retention?.days ?? 0,
      SMS_UNPARSED_TEXT_RETENTION_DAYS: given.retention?.unparsedDays ?? 0,
      RECORD_RETENTION_DAYS: 36_500,
      TRUSTED_PROXY_CIDRS: [],
      RATE_LIMIT_PAIRINGS_PER_MINUTE: pairingsPerMinute,
      MISSING_SMS_GRACE_SECONDS: 120,
      ...DEVICE_SETTINGS,
      ...INTAKE_LIMITS,
      ...given.limits,
    },
    db,
    intakeDb,
    messaging,
    directory,
    dashboardApi,
    log,
    metrics,
    now,
    newId: uuidv7,
    secrets,
    ...(readers && { readers }),
  });
  const http = httpServer({ app, host: '127.0.0.1', port: 0, log, idleGraceMs: 0 });
  const internalHttp = httpServer({ app: internalApp, host: '127.0.0.1', port: 0, log, idleGraceMs: 0 });
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const running = run(
    [...workers.filter(({ name }) => !given.without?.includes(name)), http, internalHttp],
    stop.signal,
  );
  const baseUrl = await urlOf(internalHttp);
  const asReconciler = serviceClient({ issuer: 'reconciler', audience: service, secret: RECONCILER_SECRET, baseUrl });
  const asDashboard = serviceClient({
    issuer: 'dashboard-api',
    audience: service,
    secret: DASHBOARD_SECRET,
    baseUrl,
    timeoutMs: 10_000,
  });

  return {
    url: await urlOf(http),
    databaseUrl: database.url,
    namespace,
    db,
    messaging,
    metrics,
    asReconciler,
    asDashboard,
    lines,
    secrets,
    keys,
    async textOf(smsEventId) {
      const sql = 'select sealed_text from sms_events where id = $1';
      const [row] = await db.query<{ sealed_text: string }>(sql, [smsEventId]);
      return secrets.open(smsEventId, row?.sealed_text ?? '');
    },
    async announced() {
      const rows = await db.query<{ body: string | object }>('select body from outbox order by seq');
      return rows.map(({ body }) => (typeof body === 'string' ? JSON.parse(body) : body) as EventOf);
    },
    async stop() {
      stop.abort();
      await running;
      await asReconciler.close();
      await asDashboard.close();
      await messaging.close();
      await db.close();
      await intakeDb.close();
      await dropNamespace(amqpUrl(), namespace);
      await database.drop();
    },
  };
}

async function run(workers: readonly Worker[], signal: AbortSignal): Promise<void> {
  await Promise.all(workers.map((worker) => worker.run(signal)));
}

async function urlOf(server: HttpServer): Promise<string> {
  const { port } = await eventually(() => server.address(), 'the server listens');
  return `http://127.0.0.1:${port}`;
}

export interface PhoneUnderTest {
  readonly deviceKey: string;
  readonly deviceId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  /** By method. */
  readonly accounts: Readonly<Partial<Record<PaymentMethod, string>>>;
}

export interface PhoneGiven {
  readonly merchantId?: string;
  readonly environment?: Environment;
  readonly isDisabled?: boolean;
  readonly merchantIsActive?: boolean;
  readonly receivers?: readonly { readonly paymentMethod: PaymentMethod; readonly msisdn: string }[];
  /** Accounts of another phone of the merchant, instead of its own accounts. */
  readonly sharedWith?: PhoneUnderTest;
}

export const BKASH = { paymentMethod: 'BKASH_SEND_MONEY', msisdn: '01700000900' } as const;
export const NAGAD = { paymentMethod: 'NAGAD_SEND_MONEY', msisdn: '01800000901' } as const;

/** Puts a merchant's phone into the service's copy of the directory, as its facts would. All accounts are on SIM 1. */
export async function aPhone(db: Database, given: PhoneGiven = {}): Promise<PhoneUnderTest> {
  const { sharedWith, environment = sharedWith?.environment ?? 'SANDBOX', receivers = [BKASH, NAGAD] } = given;
  const merchantId = given.merchantId ?? sharedWith?.merchantId ?? uuidv7();
  const owned = { version: 1, deleted: false, merchantId, environment };
  if (given.merchantId === undefined && sharedWith === undefined) {
    const isActive = given.merchantIsActive ?? true;
    const merchant = { id: merchantId, version: 1, deleted: false, name: 'Boi Bazar', isActive, enabledMethods: [] };
    await fact(db, 'merchant', null, merchant);
  }
  const accounts: Partial<Record<PaymentMethod, string>> = { ...sharedWith?.accounts };
  for (const { paymentMethod, msisdn } of sharedWith ? [] : receivers) {
    const account = { id: uuidv7(), ...owned, paymentMethod, msisdn, isActive: true };
    accounts[paymentMethod] = account.id;
    await fact(db, 'receiver_account', null, account);
  }
  const deviceKey = newCredential(environment === 'LIVE' ? 'dk_live_' : 'dk_test_');
  const device: DeviceFact = {
    id: uuidv7(),
    ...owned,
    name: 'counter phone',
    keyHash: hashKey(deviceKey),
    isDisabled: given.isDisabled ?? false,
    sims: [{ simSlot: 1, receiverAccountIds: Object.values(accounts) }],
  };
  await fact(db, 'device', device.keyHash, device);
  return { deviceKey, deviceId: device.id, merchantId, environment, accounts };
}

async function fact(
  db: Database,
  kind: string,
  lookupKey: string | null,
  data: { readonly id: string; readonly merchantId?: string; readonly environment?: string },
): Promise<void> {
  await db.execute(
    `insert into directory_facts (kind, id, version, deleted, merchant_id, environment, lookup_key, data)
     values ($1, $2, 1, false, $3, $4, $5, $6)`,
    [kind, data.id, data.merchantId ?? null, data.environment ?? null, lookupKey, JSON.stringify(data)],
  );
}

export interface Answered {
  readonly status: number;
  readonly body: any;
  readonly headers: Headers;
}

export function phoneApi(url: string, deviceKey: string | undefined) {
  const post = (path: string, body: unknown, headers?: Record<string, string>) => send('POST', path, body, headers);
  async function send(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    const response = await fetch(url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(deviceKey === undefined ? {} : { 'x-device-key': deviceKey }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers };
  }
  return {
    incoming: (body: unknown, headers?: Record<string, string>) => post('/v1/sms-events/incoming', body, headers),
    statusBatch: (body: unknown) => post('/v1/sms-events/status-batch', body),
    heartbeat: (body: unknown) => post('/v1/devices/heartbeat', body),
    watermark: (since?: string) => send('GET', `/v1/devices/watermark${since === undefined ? '' : `?since=${since}`}`),
    compare: (messages: unknown) => post('/v1/devices/watermark', { messages }),
  };
}
