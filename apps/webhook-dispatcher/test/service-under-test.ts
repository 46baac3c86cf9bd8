import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { AlertFact, Environment, EventOf, IntentSnapshot } from '@pay/contracts';
import { newCredential, openDirectory } from '@pay/directory';
import { hashKey, httpServer } from '@pay/http';
import { draft, type EventDraft, type Messaging } from '@pay/messaging';
import { dropNamespace, openTestMessaging } from '@pay/messaging/testing';
import { migrate, openDatabase, type Database } from '@pay/persistence';
import type { MerchantApiLimitValues } from '@pay/rate-limits';
import { createLogger, createMetrics, type Metrics } from '@pay/runtime';
import { amqpUrl, eventually, testDatabase, testNamespace } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { createService } from '../src/create-service';
import type { ShopRequestDeps } from '../src/sandbox/send-shop-request';
import { migrations } from '../src/db/migrations';
import type { WebhookDeps } from '../src/internal/webhook-routes';
import type { FeedType } from '../src/domain/payload';
import type { ServiceDeps } from '../src/service-deps';
import { wrongCounts } from './wrong-counts';

const service = 'webhook-dispatcher';
const quietLog = createLogger({ service, level: 'silent' });

export interface ServiceUnderTest {
  readonly url: string;
  readonly databaseUrl: string;
  readonly namespace: string;
  readonly encryptionKeys: ServiceDeps['config']['SECRET_ENCRYPTION_KEYS'];
  readonly db: Database;
  readonly messaging: Messaging;
  readonly metrics: Metrics;
  readonly lines: Record<string, unknown>[];
  /** Announces events as intent-api does: through an outbox and the broker. */
  announce(...events: EventDraft[]): Promise<void>;
  stop(): Promise<void>;
  /** What requests of test cases to a shop are sent with. */
  readonly shopRequests: ShopRequestDeps;
  /** What the internal routes of the dashboard need. */
  readonly webhooks: WebhookDeps;
}

export interface ServiceSettings {
  readonly timeScale?: number;
  readonly sandboxAllowedCidrs?: readonly string[];
  readonly pollMs?: number;
  readonly eventDays?: number;
  /** Endpoints of a network of the test's own, LIVE ones too. */
  readonly network?: ServiceDeps['network'];
  /** A service that is there already: this one is its second replica. */
  readonly beside?: Pick<ServiceUnderTest, 'databaseUrl' | 'namespace' | 'encryptionKeys'>;
  /** Far away unless given. */
  readonly limits?: Partial<MerchantApiLimitValues>;
  /** Far away unless given. */
  readonly endpointLimits?: Partial<typeof FAR_ENDPOINT_LIMITS>;
}

const FAR_LIMITS: MerchantApiLimitValues = {
  RATE_LIMIT_LIVE_PER_SECOND: 1_000_000,
  RATE_LIMIT_SANDBOX_PER_SECOND: 1_000_000,
  RATE_LIMIT_LIVE_MERCHANT_PER_SECOND: 1_000_000,
  RATE_LIMIT_SANDBOX_MERCHANT_PER_SECOND: 1_000_000,
  RATE_LIMIT_UNAUTHORIZED_PER_MINUTE: 1_000_000,
};

const FAR_ENDPOINT_LIMITS = {
  WEBHOOK_MAX_ENDPOINTS: 1_000,
  WEBHOOK_UNVERIFIED_PER_MINUTE: 1_000_000,
  WEBHOOK_VERIFICATIONS_PER_MINUTE: 1_000_000,
};

/** webhook-dispatcher as main.ts puts it together, on its own database and queues, reached through real ports. */
export async function startService(given: ServiceSettings = {}): Promise<ServiceUnderTest> {
  const { timeScale = 1, sandboxAllowedCidrs = ['127.0.0.1/32'], pollMs = 50, limits = {}, network, beside } = given;
  const own =
    beside === undefined
      ? await testDatabase({ service, migrate: (url) => migrate({ url, migrations, log: quietLog }) })
      : undefined;
  const databaseUrl = own?.url ?? String(beside?.databaseUrl);
  const namespace = beside?.namespace ?? testNamespace();
  const encryptionKeys = beside?.encryptionKeys ?? [{ id: 'k1', key: randomBytes(32) }];
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const log = createLogger({ service, level: 'info', destination });
  const metrics = createMetrics(service);
  const now = () => new Date();
  const access = { url: databaseUrl, poolSize: 8, applicationName: service };
  const db = await openDatabase({ ...access, log, migrations });
  const messaging = await openTestMessaging({ url: amqpUrl(), namespace, service, db, log, metrics });
  const directory = openDirectory({ db, messaging, service, kinds: ['merchant', 'api_key'], log, now });
  const { app, workers, client, shopRequests, webhooks } = createService({
    config: {
      ...FAR_LIMITS,
      ...limits,
      ...FAR_ENDPOINT_LIMITS,
      ...given.endpointLimits,
      DASHBOARD_API_URL: 'http://dashboard-api.invalid',
      PEER_SECRET_DASHBOARD_API: ['d'.repeat(32)],
      SECRET_ENCRYPTION_KEYS: encryptionKeys,
      WEBHOOK_SANDBOX_ALLOWED_CIDRS: [...sandboxAllowedCidrs],
      WEBHOOK_ALLOW_PRIVATE_IN_PRODUCTION: false,
      WEBHOOK_VERIFIED_ENVIRONMENTS: ['LIVE'],
      WEBHOOK_DELIVERY_DAYS: 31,
      WEBHOOK_EVENT_DAYS: given.eventDays ?? 90,
      WEBHOOK_TIME_SCALE: timeScale,
      WEBHOOK_SLOTS: 200,
      WEBHOOK_SLOTS_PER_ENDPOINT: 8,
      WEBHOOK_POLL_MS: pollMs,
      TRUSTED_PROXY_CIDRS: ['127.0.0.1/32'],
    },
    db,
    messaging,
    directory,
    log,
    metrics,
    now,
    newId: uuidv7,
    ...(network && { network }),
    random: () => 0,
  });
  const http = httpServer({ app, host: '127.0.0.1', port: 0, log, idleGraceMs: 0 });
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const running = Promise.all([...workers, http].map((worker) => worker.run(stop.signal)));
  const { port } = await eventually(() => http.address(), 'the server listens');

  return {
    url: `http://127.0.0.1:${port}`,
    databaseUrl,
    namespace,
    encryptionKeys,
    db,
    messaging,
    metrics,
    lines,
    webhooks,
    shopRequests,
    announce: (...events) => db.transaction((tx) => messaging.publish(tx, events)),
    async stop() {
      stop.abort();
      await running;
      await client.close();
      await messaging.close();
      if (own) await dropNamespace(amqpUrl(), namespace);
      const wrong = await wrongCounts(db);
      await db.close();
      await own?.drop();
      // Whatever the test did with deliveries.
      if (wrong.length > 0) throw new Error(`delivery counts are wrong: ${JSON.stringify(wrong)}`);
    },
  };
}

export interface MerchantUnderTest {
  readonly id: string;
  readonly environment: Environment;
  readonly apiKey: string;
}

/** Puts a merchant with a key into the service's copy of the directory, as its facts would. */
export async function aMerchant(db: Database, environment: Environment = 'SANDBOX'): Promise<MerchantUnderTest> {
  const id = uuidv7();
  const merchant = { id, version: 1, deleted: false, name: 'Boi Bazar', isActive: true, enabledMethods: [] };
  await fact(db, 'merchant', null, null, merchant);
  return { id, environment, apiKey: await aKey(db, { id, environment }) };
}

/** Another key of a merchant. */
export async function aKey(
  db: Database,
  { id: merchantId, environment }: { id: string; environment: Environment },
  scopes: readonly string[] = ['webhooks:read', 'webhooks:write'],
): Promise<string> {
  const apiKey = newCredential(environment === 'LIVE' ? 'sk_live_' : 'sk_test_');
  const keyHash = hashKey(apiKey);
  await fact(db, 'api_key', { merchantId, environment }, keyHash, {
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
  });
  return apiKey;
}

async function fact(
  db: Database,
  kind: string,
  tenant: { merchantId: string; environment: string } | null,
  lookupKey: string | null,
  data: Readonly<Record<string, unknown>> & { readonly id: string },
): Promise<void> {
  await db.execute(
    `insert into directory_facts (kind, id, version, deleted, merchant_id, environment, lookup_key, data)
     values ($1, $2, 1, false, $3, $4, $5, $6)`,
    [kind, data.id, tenant?.merchantId ?? null, tenant?.environment ?? null, lookupKey, JSON.stringify(data)],
  );
}

/** An event about an alert of this merchant: a failing endpoint. */
export function anAlert(
  type: 'alert.opened' | 'alert.closed',
  { id: merchantId, environment }: Pick<MerchantUnderTest, 'id' | 'environment'>,
  over: Partial<AlertFact> = {},
): EventDraft & { data: AlertFact } {
  const now = new Date().toISOString();
  const data: AlertFact = {
    alertId: uuidv7(),
    kind: 'endpoint_failing',
    subject: uuidv7(),
    name: 'shop.example',
    count: 1,
    since: now,
    openedAt: now,
    closedAt: null,
    ...over,
  };
  const sequence = type === 'alert.opened' ? 1 : 2;
  return {
    ...draft(type, { environment, merchantId, aggregateId: data.alertId, sequence, data, occurredAt: now }),
    data,
  };
}

/** An event about an intent of this merchant. */
export function anEvent(
  type: FeedType,
  { id: merchantId, environment }: Pick<MerchantUnderTest, 'id' | 'environment'>,
  over: Partial<IntentSnapshot> = {},
): EventDraft & { data: EventOf<FeedType>['data'] } {
  const now = new Date().toISOString();
  const intent: IntentSnapshot = {
    id: uuidv7(),
    amount: '500.5',
    currency: 'BDT',
    status: 'PAID',
    customerReference: 'INV-2041',
    merchantReference: 'order "77" – ঢাকা',
    paymentMethod: 'BKASH_SEND_MONEY',
    receiverMsisdn: '01700000001',
    receiverAccountId: null,
    shownReceivers: [],
    methodFixed: true,
    expectedTrxId: null,
    customerId: null,
    expectedSenderMsisdn: null,
    language: null,
    metadata: { cart: '7' },
    successUrl: null,
    failedUrl: null,
    cancelUrl: null,
    expiredUrl: null,
    createdAt: now,
    expiresAt: now,
    paidAt: now,
    ...over,
  };
  const decision = {
    matchId: uuidv7(),
    path: 'REFERENCE' as const,
    reason: 'reference_match',
    decidedBy: 'system',
    smsEventId: null,
    trxId: 'DKL4A1B2C3',
    receivedAmount: '500.5',
  };
  const data = { intent, decision };
  return {
    ...draft(type, { environment, merchantId, aggregateId: intent.id, sequence: 2, data, occurredAt: now }),
    data,
  };
}
