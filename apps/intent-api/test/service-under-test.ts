import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type {
  Environment,
  EventOf,
  PaymentMethod,
  ReceiverAccountFact,
  ReceiverLimits,
  ServiceName,
} from '@pay/contracts';
import { newCredential, openDirectory } from '@pay/directory';
import { hashKey, httpServer, type HttpServer } from '@pay/http';
import { draft, type Messaging } from '@pay/messaging';
import { dropNamespace, openTestMessaging, QUICK_TIMINGS } from '@pay/messaging/testing';
import { migrate, openDatabase, type Database } from '@pay/persistence';
import type { MerchantApiLimitValues } from '@pay/rate-limits';
import { createLogger, createMetrics, type Metrics, type Worker } from '@pay/runtime';
import { amqpUrl, eventually, testDatabase, testNamespace } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { createService } from '../src/create-service';
import { migrations } from '../src/db/migrations';

export const PEER_SECRETS = {
  'checkout-api': 'c'.repeat(32),
  reconciler: 'r'.repeat(32),
  'dashboard-api': 'd'.repeat(32),
};
export const CHECKOUT_URL = 'https://pay.example/checkout';
const service = 'intent-api' satisfies ServiceName;
/** For tests that call the database directly. */
export const quietLog = createLogger({ service, level: 'silent' });

export interface ServiceUnderTest {
  readonly url: string;
  readonly internalUrl: string;
  readonly databaseUrl: string;
  readonly db: Database;
  readonly messaging: Messaging;
  readonly metrics: Metrics;
  readonly namespace: string;
  readonly lines: Record<string, unknown>[];
  /** Every event that the service has put into its outbox, in order. */
  announced(): Promise<EventOf[]>;
  stop(): Promise<void>;
}

/** High limits that only tests about limits reach. */
const FAR_LIMITS: MerchantApiLimitValues = {
  RATE_LIMIT_LIVE_PER_SECOND: 1_000_000,
  RATE_LIMIT_SANDBOX_PER_SECOND: 1_000_000,
  RATE_LIMIT_LIVE_MERCHANT_PER_SECOND: 1_000_000,
  RATE_LIMIT_SANDBOX_MERCHANT_PER_SECOND: 1_000_000,
  RATE_LIMIT_UNAUTHORIZED_PER_MINUTE: 1_000_000,
};

export interface ServiceGiven {
  readonly watched?: (db: Database) => Database;
  readonly limits?: MerchantApiLimitValues;
  /** The clock of the service; that of this machine when absent. */
  readonly now?: () => Date;
}

/** intent-api composed as in main.ts, with its own database and queues, reached through real ports. */
export async function startService({
  watched = (db) => db,
  limits = FAR_LIMITS,
  now = () => new Date(),
}: ServiceGiven = {}): Promise<ServiceUnderTest> {
  const database = await testDatabase({ service, migrate: (url) => migrate({ url, migrations, log: quietLog }) });
  const namespace = testNamespace();
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const log = createLogger({ service, level: 'info', destination });
  const metrics = createMetrics(service);
  const opened = await openDatabase({ url: database.url, poolSize: 8, applicationName: service, log, migrations });
  const db = watched(opened);
  const messaging = await openTestMessaging({
    url: amqpUrl(),
    namespace,
    service,
    db,
    log,
    metrics,
    timings: QUICK_TIMINGS,
  });
  const directory = openDirectory({
    db,
    messaging,
    service,
    kinds: ['merchant', 'api_key', 'receiver_account', 'device'],
    log,
    now,
  });
  const { app, internalApp, workers } = createService({
    config: {
      ...limits,
      CHECKOUT_URL,
      DASHBOARD_API_URL: 'http://dashboard-api.invalid',
      PEER_SECRET_CHECKOUT_API: [PEER_SECRETS['checkout-api']],
      PEER_SECRET_RECONCILER: [PEER_SECRETS.reconciler],
      PEER_SECRET_DASHBOARD_API: [PEER_SECRETS['dashboard-api']],
      RECORD_RETENTION_DAYS: 36_500,
      TRUSTED_PROXY_CIDRS: ['127.0.0.1/32'],
    },
    db,
    messaging,
    directory,
    log,
    metrics,
    now,
    newId: uuidv7,
  });
  const http = httpServer({ app, host: '127.0.0.1', port: 0, log, idleGraceMs: 0 });
  const internalHttp = httpServer({ app: internalApp, host: '127.0.0.1', port: 0, log, idleGraceMs: 0 });
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const running = run([...workers, http, internalHttp], stop.signal);

  return {
    url: await urlOf(http),
    internalUrl: await urlOf(internalHttp),
    databaseUrl: database.url,
    db,
    messaging,
    metrics,
    namespace,
    lines,
    async announced() {
      const rows = await db.query<{ body: string | object }>('select body from outbox order by seq');
      return rows.map(({ body }) => (typeof body === 'string' ? JSON.parse(body) : body) as EventOf);
    },
    async stop() {
      stop.abort();
      await running;
      await messaging.close();
      await dropNamespace(amqpUrl(), namespace);
      await db.close();
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

export interface Receiver {
  readonly paymentMethod: PaymentMethod;
  readonly msisdn: string;
  readonly isActive?: boolean;
  readonly limits?: ReceiverLimits;
}

export interface MerchantGiven {
  readonly environment?: Environment;
  readonly receivers?: readonly Receiver[];
  readonly enabledMethods?: readonly PaymentMethod[];
  readonly isActive?: boolean;
  readonly scopes?: readonly string[];
}

export interface MerchantUnderTest {
  readonly id: string;
  /** Ids of its receiver accounts, in the given order. */
  readonly accounts: readonly string[];
  readonly environment: Environment;
  readonly apiKey: string;
}

export const BKASH: Receiver = { paymentMethod: 'BKASH_SEND_MONEY', msisdn: '01700000001' };
export const NAGAD: Receiver = { paymentMethod: 'NAGAD_SEND_MONEY', msisdn: '01800000002' };

/** Adds a merchant with a key (SANDBOX by default) to the service's copy of the directory, like its facts. */
export async function aMerchant(db: Database, given: MerchantGiven = {}): Promise<MerchantUnderTest> {
  const { environment = 'SANDBOX', receivers = [BKASH], isActive = true } = given;
  const { scopes = ['payments:read', 'payments:write'] } = given;
  const enabledMethods = given.enabledMethods ?? receivers.map((receiver) => receiver.paymentMethod);
  const id = uuidv7();
  const versioned = { version: 1, deleted: false };
  const owned = { ...versioned, merchantId: id, environment };
  await fact(db, 'merchant', null, null, { id, ...versioned, name: 'Boi Bazar', isActive, enabledMethods });
  const accounts: string[] = [];
  for (const { paymentMethod, msisdn, isActive: open = true, limits = null } of receivers) {
    const account = { id: uuidv7(), ...owned, paymentMethod, msisdn, isActive: open, limits };
    accounts.push(account.id);
    await fact(db, 'receiver_account', { merchantId: id, environment }, null, account);
  }
  return { id, environment, apiKey: await aKey(db, { id, environment }, scopes), accounts };
}

/** Another key of a merchant. */
export async function aKey(
  db: Database,
  { id: merchantId, environment }: { id: string; environment: Environment },
  scopes: readonly string[] = ['payments:read', 'payments:write'],
): Promise<string> {
  const apiKey = newCredential(environment === 'LIVE' ? 'sk_live_' : 'sk_test_');
  const keyHash = hashKey(apiKey);
  const key = {
    id: uuidv7(),
    version: 1,
    deleted: false,
    merchantId,
    environment,
    keyHash,
    scopes,
    isLocked: false,
    expiresAt: null,
    revokedAt: null,
  };
  await fact(db, 'api_key', { merchantId, environment }, keyHash, key);
  return apiKey;
}

/** Publishes, like dashboard-api, that a merchant's receivers are switched off. */
export async function switchOffReceivers({ db, messaging }: ServiceUnderTest, merchantId: string): Promise<void> {
  const sql = `select data from directory_facts where kind = 'receiver_account' and merchant_id = $1`;
  const accounts = await db.query<{ data: ReceiverAccountFact }>(sql, [merchantId]);
  const changes = accounts.map(({ data }) =>
    draft('receiver_account.changed', {
      environment: data.environment,
      merchantId,
      aggregateId: data.id,
      sequence: 2,
      occurredAt: new Date(),
      data: { ...data, version: 2, isActive: false },
    }),
  );
  await db.transaction((tx) => messaging.publish(tx, changes, { queue: 'intent-api.control' }));
}

async function fact(
  db: Database,
  kind: string,
  tenant: { merchantId: string; environment: string } | null,
  lookupKey: string | null,
  data: { readonly id: string } & Record<string, unknown>,
): Promise<void> {
  await db.execute(
    `insert into directory_facts (kind, id, version, deleted, merchant_id, environment, lookup_key, data)
     values ($1, $2, 1, false, $3, $4, $5, $6)`,
    [kind, data.id, tenant?.merchantId ?? null, tenant?.environment ?? null, lookupKey, JSON.stringify(data)],
  );
}

/** Adds a phone that serves these receiver accounts to the service's copy of the directory. */
export async function aDevice(
  db: Database,
  { id: merchantId, environment }: Pick<MerchantUnderTest, 'id' | 'environment'>,
  receiverAccountIds: readonly string[],
  isDisabled = false,
): Promise<string> {
  const id = uuidv7();
  const sims = [{ simSlot: 1, receiverAccountIds }];
  const owned = { id, version: 1, deleted: false, merchantId, environment };
  const device = { ...owned, name: 'Counter phone', keyHash: randomBytes(32).toString('hex'), isDisabled, sims };
  await fact(db, 'device', { merchantId, environment }, device.keyHash, device);
  return id;
}
