import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { EventOf, IntentSnapshot, PaymentMethod, ServiceName } from '@pay/contracts';
import { openDirectory } from '@pay/directory';
import { httpServer, type HttpServer } from '@pay/http';
import { draft, type Messaging } from '@pay/messaging';
import { dropNamespace, openTestMessaging, QUICK_TIMINGS } from '@pay/messaging/testing';
import { migrate, openDatabase, type Database } from '@pay/persistence';
import { createLogger, createMetrics, type Metrics, type Worker } from '@pay/runtime';
import { amqpUrl, captureServer, eventually, testDatabase, testNamespace, type CaptureServer } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { openServiceClients } from '../src/adapters/service-clients';
import { createService } from '../src/create-service';
import { migrations } from '../src/db/migrations';
import type { ServiceDeps } from '../src/service-deps';

export const PEER_SECRETS = {
  reconciler: 'r'.repeat(32),
  'intent-api': 'i'.repeat(32),
  'dashboard-api': 'd'.repeat(32),
};
const service = 'checkout-api' satisfies ServiceName;
const quietLog = createLogger({ service, level: 'silent' });

export interface ServiceUnderTest {
  readonly url: string;
  readonly internalUrl: string;
  readonly databaseUrl: string;
  readonly namespace: string;
  readonly db: Database;
  readonly messaging: Messaging;
  readonly metrics: Metrics;
  /** Scripted internal routes of the neighbouring services. They answer 503 until a test sets a response. */
  readonly reconciler: CaptureServer;
  readonly intentApi: CaptureServer;
  readonly lines: Record<string, unknown>[];
  /** Every `claim.submitted` in the outbox, in order. */
  submitted(): Promise<EventOf<'claim.submitted'>[]>;
  stop(): Promise<void>;
}

type Config = ServiceDeps['config'];

/** High limits that only tests about limits reach, because all customers share one address. */
const FAR_LIMITS = {
  RATE_LIMIT_VIEWS_PER_MINUTE: 1_000_000,
  RATE_LIMIT_ADDRESS_PER_MINUTE: 1_000_000,
  RATE_LIMIT_CONFIRMS_PER_MINUTE: 1_000_000,
  RATE_LIMIT_METHODS_PER_MINUTE: 1_000_000,
  RATE_LIMIT_FAILED_CONFIRMS_PER_MINUTE: 1_000_000,
  RATE_LIMIT_STREAMS_PER_ADDRESS: 10_000,
  RATE_LIMIT_STREAMS_PER_INTENT: 1_000,
  RATE_LIMIT_STREAMS_PER_REPLICA: 10_000,
  STREAM_SECONDS: 900,
};

export interface ServiceSettings {
  readonly limits?: Partial<Record<keyof typeof FAR_LIMITS, number>>;
  /** Servers of a single test, which it can stop. The database is migrated and kept. */
  readonly servers?: { readonly databaseUrl: string; readonly amqpUrl: string };
  /** Another replica: the same database, queues and neighbours. Stop it first. */
  readonly beside?: ServiceUnderTest;
  /** How long a customer waits for a neighbour: longer than in production, because test machines are busy. */
  readonly patienceMs?: number;
  readonly now?: () => Date;
}

/** checkout-api composed as in main.ts, with its own database and queues and scripted neighbours. */
export async function startService({
  limits = {},
  servers,
  beside,
  patienceMs = 10_000,
  now = () => new Date(),
}: ServiceSettings = {}): Promise<ServiceUnderTest> {
  const makeTables = (url: string) => migrate({ url, migrations, log: quietLog });
  const brokerUrl = servers?.amqpUrl ?? amqpUrl();
  const kept = servers?.databaseUrl ?? beside?.databaseUrl;
  const database =
    kept === undefined
      ? await testDatabase({ service, migrate: makeTables })
      : { url: kept, drop: () => Promise.resolve() };
  if (servers) await makeTables(servers.databaseUrl);
  const namespace = beside?.namespace ?? testNamespace();
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const log = createLogger({ service, level: 'info', destination });
  const metrics = createMetrics(service);
  const db = await openDatabase({ url: database.url, poolSize: 8, applicationName: service, log, migrations });
  const intakeDb = await openDatabase({ url: database.url, poolSize: 1, applicationName: service, log, migrations });
  const messaging = await openTestMessaging({
    url: brokerUrl,
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
    kinds: ['merchant', 'receiver_account', 'device'],
    log,
    now,
  });
  const [reconciler, intentApi] = beside
    ? [beside.reconciler, beside.intentApi]
    : await Promise.all([captureServer(), captureServer()]);
  if (!beside) for (const client of [reconciler, intentApi]) client.respondWith(() => ({ status: 503 }));
  const config: Config = {
    RECONCILER_URL: reconciler.url,
    INTENT_API_URL: intentApi.url,
    PEER_SECRET_RECONCILER: [PEER_SECRETS.reconciler],
    PEER_SECRET_INTENT_API: [PEER_SECRETS['intent-api']],
    PEER_SECRET_DASHBOARD_API: [PEER_SECRETS['dashboard-api']],
    TRUSTED_PROXY_CIDRS: ['127.0.0.1/32'],
    CLAIM_RETENTION_DAYS: 180,
    INTENT_COPY_RETENTION_DAYS: 30,
    ...FAR_LIMITS,
    ...limits,
  };
  const clients = openServiceClients(config, { timeoutMs: patienceMs });
  const { app, internalApp, workers } = createService({
    config,
    db,
    intakeDb,
    messaging,
    directory,
    log,
    metrics,
    now,
    newId: uuidv7,
    ...clients,
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
    namespace,
    db,
    messaging,
    metrics,
    reconciler,
    intentApi,
    lines,
    async submitted() {
      const rows = await db.query<{ body: string }>(
        `select body from outbox where body like '%claim.submitted%' order by seq`,
      );
      return rows.map(({ body }) => JSON.parse(body) as EventOf<'claim.submitted'>);
    },
    async stop() {
      stop.abort();
      await running;
      await Promise.all([
        ...(beside ? [] : [reconciler.close(), intentApi.close()]),
        ...Object.values(clients).map((client) => client.close()),
      ]);
      await messaging.close();
      if (!beside) await dropNamespace(brokerUrl, namespace);
      await db.close();
      await intakeDb.close();
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

/** An intent in the format of intent-api, with the fields that the test needs. */
export function anIntent(change: Partial<IntentSnapshot> = {}): IntentSnapshot {
  const now = Date.now();
  return {
    id: uuidv7(),
    amount: '500',
    currency: 'BDT',
    status: 'PENDING',
    customerReference: 'INV-1',
    merchantReference: 'order-7',
    paymentMethod: 'BKASH_SEND_MONEY',
    receiverMsisdn: '01700000001',
    receiverAccountId: uuidv7(),
    shownReceivers: [],
    methodFixed: false,
    expectedTrxId: null,
    expectedSenderMsisdn: null,
    customerId: null,
    language: null,
    successUrl: null,
    failedUrl: null,
    cancelUrl: null,
    expiredUrl: null,
    metadata: null,
    createdAt: new Date(now).toISOString(),
    expiresAt: new Date(now + 300_000).toISOString(),
    paidAt: null,
    ...change,
  };
}

export const MERCHANT = '00000000-0000-7000-8000-00000000000a';
const tenant = { merchantId: MERCHANT, environment: 'SANDBOX' as const };

/** An event about an intent in the format of the broker. */
export function intentEvent(
  intent: IntentSnapshot,
  sequence: number,
  trxId: string | null = null,
  occurredAt = new Date(),
) {
  const base = { ...tenant, aggregateId: intent.id, sequence, occurredAt };
  if (intent.status === 'PENDING') {
    return draft(sequence === 1 ? 'intent.created' : 'intent.method_selected', { ...base, data: { intent } });
  }
  const decision = {
    matchId: randomUUID(),
    path: 'TRX_ID' as const,
    reason: 'trx_id_match',
    decidedBy: 'system',
    smsEventId: null,
    trxId,
    receivedAmount: null,
  };
  const type = { PAID: 'intent.paid', EXPIRED: 'intent.expired', FAILED: 'intent.failed' } as const;
  const other = { REJECTED: 'intent.rejected', REVIEW_REQUIRED: 'intent.review_required' } as const;
  return draft({ ...type, ...other }[intent.status], { ...base, data: { intent, decision } });
}

/** Publishes events to the service's own queue, like a replay. */
export async function send({ db, messaging }: ServiceUnderTest, ...events: ReturnType<typeof draft>[]): Promise<void> {
  await db.transaction((tx) => messaging.publish(tx, events, { queue: 'checkout-api.events' }));
}

/** Publishes an event of an intent and waits until the service has its copy. */
export async function given(service: ServiceUnderTest, intent: IntentSnapshot, sequence = 1): Promise<IntentSnapshot> {
  await send(service, intentEvent(intent, sequence));
  await eventually(async () => {
    const sql = 'select 1 from intent_copies where id = $1 and sequence = $2';
    return (await service.db.query(sql, [intent.id, sequence])).length > 0;
  }, 'the copy is stored');
  return intent;
}

/** Adds a phone that serves these receiver accounts to the service's copy of the directory. */
export async function aDevice(db: Database, receiverAccountIds: readonly string[]): Promise<string> {
  const id = uuidv7();
  const sims = [{ simSlot: 1, receiverAccountIds }];
  const device = { id, version: 1, deleted: false, ...tenant, name: 'Counter', keyHash: id, isDisabled: false, sims };
  await db.execute(
    `insert into directory_facts (kind, id, version, deleted, merchant_id, environment, data)
     values ('device', $1, 1, false, $2, $3, $4)`,
    [id, tenant.merchantId, tenant.environment, JSON.stringify(device)],
  );
  return id;
}

export async function aMerchant(db: Database, methods: readonly PaymentMethod[]): Promise<void> {
  const fact = (kind: string, id: string, data: object) =>
    db.execute(
      `insert into directory_facts (kind, id, version, deleted, merchant_id, environment, data)
       values ($1, $2, 1, false, $3, 'SANDBOX', $4)`,
      [kind, id, MERCHANT, JSON.stringify(data)],
    );
  const versioned = { version: 1, deleted: false };
  await fact('merchant', MERCHANT, {
    id: MERCHANT,
    ...versioned,
    name: 'Boi Bazar',
    isActive: true,
    enabledMethods: methods,
  });
  for (const paymentMethod of methods) {
    const id = uuidv7();
    await fact('receiver_account', id, {
      id,
      ...versioned,
      ...tenant,
      paymentMethod,
      msisdn: '01700000001',
      isActive: true,
    });
  }
}
