import { setMaxListeners } from 'node:events';
import type { EventData, EventOf, EventType, IntentSnapshot, SmsParsed, Tenant } from '@pay/contracts';
import { openDirectory } from '@pay/directory';
import { httpServer, serviceClient, type HttpServer, type ServiceClient } from '@pay/http';
import { draft } from '@pay/messaging';
import { dropNamespace, openTestMessaging, QUICK_TIMINGS } from '@pay/messaging/testing';
import { migrate, openDatabase, type Database } from '@pay/persistence';
import { createLogger, createMetrics, type Metrics, type Worker } from '@pay/runtime';
import { amqpUrl, captureServer, eventually, testDatabase, testNamespace, type CaptureServer } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { createService } from '../src/create-service';
import { migrations } from '../src/db/migrations';
import { noteSwitchOffs } from '../src/expiry/note-switch-offs';
import type { PeerName } from '../src/service-deps';
import { DECISION_KEYS, silent } from './session-under-test';
import { moneyProblem } from './money-agrees';

const service = 'reconciler';
export const CHECKOUT_SECRET = 'c'.repeat(32);
export const DASHBOARD_SECRET = 'd'.repeat(32);

export interface ServiceUnderTest {
  readonly db: Database;
  readonly internalUrl: string;
  /** The reconciler's internal routes, as checkout-api calls them. */
  readonly asCheckout: ServiceClient;
  /** Replace the internal routes of the other services. */
  readonly peerServices: Readonly<Record<PeerName, CaptureServer>>;
  readonly metrics: Metrics;
  readonly lines: Record<string, unknown>[];
  /** Publishes an event as its owner would: over the broker. */
  publish<Type extends EventType>(type: Type, tenant: Tenant, data: EventData<Type>, sequence?: number): Promise<void>;
  readonly namespace: string;
  announced(): Promise<EventOf[]>;
  /** Throws if money and intents disagree. */
  stop(): Promise<void>;
}

/** The reconciler as composed by main.ts, with its own database and queues and scripted other services. */
export async function startService(): Promise<ServiceUnderTest> {
  const database = await testDatabase({ service, migrate: (url) => migrate({ url, migrations, log: silent }) });
  const namespace = testNamespace();
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const log = createLogger({ service, level: 'info', destination });
  const metrics = createMetrics(service);
  const now = () => new Date();
  const db = await openDatabase({ url: database.url, poolSize: 8, applicationName: service, log, migrations });
  const messaging = await openTestMessaging({
    url: amqpUrl(),
    namespace,
    service,
    db,
    log,
    metrics,
    timings: QUICK_TIMINGS,
  });
  const kinds = ['merchant', 'receiver_account'] as const;
  const directory = openDirectory({ db, messaging, service, kinds, onChange: noteSwitchOffs, log, now });
  const peerServices = {
    'intent-api': await captureServer(),
    'sms-ingest': await captureServer(),
    'checkout-api': await captureServer(),
    'dashboard-api': await captureServer(),
  };
  for (const name of ['intent-api', 'dashboard-api'] as const) peerServices[name].respondWith(() => ({ status: 503 }));
  // Longer than in production, because test machines are busy and no test here covers slow services.
  const timeoutMs = 10_000;
  for (const owner of ['sms-ingest', 'checkout-api'] as const) peerServices[owner].respondWith(() => nothingUndecided);
  const secret = 's'.repeat(32);
  const client = (audience: PeerName) =>
    serviceClient({
      issuer: service,
      audience,
      secret,
      baseUrl: peerServices[audience].url,
      timeoutMs,
    });
  const peers = {
    'intent-api': client('intent-api'),
    'sms-ingest': client('sms-ingest'),
    'checkout-api': client('checkout-api'),
    'dashboard-api': client('dashboard-api'),
  };
  const { internalApp, workers } = createService({
    config: {
      INTENT_API_URL: peerServices['intent-api'].url,
      SMS_INGEST_URL: peerServices['sms-ingest'].url,
      CHECKOUT_API_URL: peerServices['checkout-api'].url,
      DASHBOARD_API_URL: peerServices['dashboard-api'].url,
      PEER_SECRET_INTENT_API: [secret],
      PEER_SECRET_SMS_INGEST: [secret],
      PEER_SECRET_CHECKOUT_API: [CHECKOUT_SECRET],
      PEER_SECRET_DASHBOARD_API: [DASHBOARD_SECRET],
      DECISION_CHAIN_KEYS: DECISION_KEYS,
      MATCH_WINDOW_HOURS: 72,
      TRX_ID_LEAD_MINUTES: 10,
      EXPIRY_GRACE_MS: 100,
      CLAIM_RETENTION_DAYS: 180,
      RECORD_RETENTION_DAYS: 36_500,
    },
    db,
    messaging,
    directory,
    peers,
    log,
    metrics,
    now,
    newId: uuidv7,
    expiryPace: { expiryIntervalMs: 100, expiryBatch: 100, expiriesPerSecond: 10_000 },
  });
  const internalHttp = httpServer({ app: internalApp, host: '127.0.0.1', port: 0, log, idleGraceMs: 0 });
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const running = Promise.all([...workers, internalHttp].map((worker: Worker) => worker.run(stop.signal)));
  const internalUrl = await urlOf(internalHttp);
  const asCheckout = serviceClient({
    issuer: 'checkout-api',
    audience: service,
    secret: CHECKOUT_SECRET,
    baseUrl: internalUrl,
    timeoutMs,
  });
  return {
    db,
    internalUrl,
    asCheckout,
    peerServices,
    metrics,
    lines,
    namespace,
    async publish(type, { merchantId, environment }, data, sequence = 1) {
      const event = draft(type, {
        merchantId,
        environment,
        aggregateId: uuidv7(),
        sequence,
        occurredAt: now(),
        data,
      });
      await db.transaction((tx) => messaging.publish(tx, [event]));
    },
    async announced() {
      const rows = await db.query<{ body: string }>('select body from outbox order by seq');
      return rows.map(({ body }) => JSON.parse(body) as EventOf);
    },
    async stop() {
      stop.abort();
      await running;
      await Promise.all(
        [asCheckout, ...Object.values(peers), ...Object.values(peerServices)].map((each) => each.close()),
      );
      await messaging.close();
      const problem = await moneyProblem(db);
      await db.close();
      await database.drop();
      await dropNamespace(amqpUrl(), namespace);
      if (problem !== undefined) throw problem;
    },
  };
}

export const nothingUndecided = { status: 200, body: JSON.stringify({ undecided: [] }) };

async function urlOf(server: HttpServer): Promise<string> {
  const { port } = await eventually(() => server.address(), 'the server listens');
  return `http://127.0.0.1:${port}`;
}

export interface ShopUnderTest extends Tenant {
  readonly walletId: string;
}

/** A merchant with one bKash wallet, known through directory events. */
export async function aShop({ publish }: ServiceUnderTest, { isKnown = true } = {}): Promise<ShopUnderTest> {
  const tenant = { merchantId: uuidv7(), environment: 'LIVE' } as const;
  const shop = { ...tenant, walletId: uuidv7() };
  if (isKnown) await publishShop({ publish }, shop);
  return shop;
}

export async function publishShop({ publish }: Pick<ServiceUnderTest, 'publish'>, shop: ShopUnderTest): Promise<void> {
  const fact = { version: 1, deleted: false, isActive: true };
  const { merchantId, environment, walletId } = shop;
  await publish('merchant.changed', shop, {
    ...fact,
    id: merchantId,
    name: 'Boi Bazar',
    enabledMethods: ['BKASH_SEND_MONEY'],
  });
  await publish('receiver_account.changed', shop, {
    ...fact,
    id: walletId,
    merchantId,
    environment,
    paymentMethod: 'BKASH_SEND_MONEY',
    msisdn: '01700000900',
  });
}

/** An intent event of intent-api, created a minute ago and open for four more minutes. */
export function aSnapshot({ walletId }: ShopUnderTest, change: Partial<IntentSnapshot> = {}): IntentSnapshot {
  const shown = {
    receiverAccountId: walletId,
    paymentMethod: 'BKASH_SEND_MONEY',
    receiverMsisdn: '01700000900',
  } as const;
  return {
    id: uuidv7(),
    amount: '500',
    currency: 'BDT',
    status: 'PENDING',
    customerReference: uuidv7().slice(-12),
    merchantReference: null,
    ...shown,
    shownReceivers: [shown],
    methodFixed: true,
    expectedTrxId: null,
    expectedSenderMsisdn: null,
    customerId: null,
    language: null,
    successUrl: null,
    failedUrl: null,
    cancelUrl: null,
    expiredUrl: null,
    metadata: null,
    createdAt: new Date(Date.now() - 60_000).toISOString(),
    expiresAt: new Date(Date.now() + 240_000).toISOString(),
    paidAt: null,
    ...change,
  };
}

export function aText({ walletId }: ShopUnderTest, change: Partial<SmsParsed> = {}): SmsParsed {
  const now = new Date().toISOString();
  return {
    smsEventId: uuidv7(),
    deviceId: uuidv7(),
    receiverAccountId: walletId,
    receiverMsisdn: '01700000900',
    simSlot: 1,
    sender: 'bKash',
    receivedAt: now,
    ingestedAt: now,
    parserVersion: '1',
    provider: 'BKASH',
    kind: 'SEND_MONEY_RECEIVED',
    direction: 'IN',
    paymentMethod: 'BKASH_SEND_MONEY',
    amount: '500',
    fee: null,
    balance: null,
    trxId: uuidv7().replaceAll('-', '').slice(-10).toUpperCase(),
    reference: null,
    senderMsisdn: '01812345678',
    providerTime: now,
    ...change,
  };
}
