import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import type {
  ApiKeyFact,
  DeviceFact,
  DirectoryKind,
  EventData,
  EventOf,
  EventType,
  MerchantFact,
  ReceiverAccountFact,
} from '@pay/contracts';
import { hashKey, serviceClient, type ServiceClient } from '@pay/http';
import { draft, messagingMigrations, type Messaging } from '@pay/messaging';
import { dropNamespace, openTestMessaging } from '@pay/messaging/testing';
import { migrate, openDatabase, type Database } from '@pay/persistence';
import { createLogger, createMetrics, type Worker } from '@pay/runtime';
import { amqpUrl, testDatabase, testNamespace } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { directoryMigrations, newCredential, openDirectory, type Directory } from '../src/index';

const service = 'intent-api';
const ALL_KINDS: readonly DirectoryKind[] = ['merchant', 'api_key', 'receiver_account', 'device'];
const migrations = [...messagingMigrations, ...directoryMigrations];
export const log = createLogger({ service, level: 'silent' });

/** One process of a service that has a copy. */
export interface Replica {
  readonly db: Database;
  readonly messaging: Messaging;
  readonly directory: Directory;
  /** The worker that requests re-sends; it runs only if a test runs it. */
  readonly resend: Worker;
  run(worker: Worker): () => Promise<void>;
  stop(): Promise<void>;
}

export interface CopyUnderTest {
  /** Opens another process on the same copy, with its relay and control consumer. */
  replica(options?: {
    kinds?: readonly DirectoryKind[];
    lookup?: ServiceClient;
    clock?: () => number;
  }): Promise<Replica>;
  /** Ends all replicas and removes database and queues. */
  dispose(): Promise<void>;
}

export async function copyUnderTest(): Promise<CopyUnderTest> {
  const database = await testDatabase({ service, migrate: (url) => migrate({ url, migrations, log }) });
  const namespace = testNamespace();
  const replicas: Replica[] = [];

  return {
    async replica({ kinds = ALL_KINDS, lookup, clock } = {}) {
      const db = await openDatabase({ url: database.url, poolSize: 6, applicationName: service, log, migrations });
      const metrics = createMetrics(service);
      const messaging = await openTestMessaging({ url: amqpUrl(), namespace, service, db, log, metrics });
      const directory = openDirectory({
        db,
        messaging,
        service,
        kinds,
        log,
        ...(lookup && { lookup }),
        ...(clock && { clock }),
        now: () => new Date(),
      });
      const stops: (() => Promise<void>)[] = [];
      const run = (worker: Worker) => {
        const stop = new AbortController();
        const ended = worker.run(stop.signal);
        const end = async () => {
          stop.abort();
          await ended;
        };
        stops.push(end);
        return end;
      };
      const replica: Replica = {
        db,
        messaging,
        directory,
        run,
        resend: directory.resendWhenEmpty(),
        async stop() {
          replicas.splice(replicas.indexOf(replica), 1);
          for (const stop of stops.reverse()) await stop();
          await messaging.close();
          await db.close();
        },
      };
      run(messaging.relay());
      run(directory.controlConsumer());
      replicas.push(replica);
      return replica;
    },
    async dispose() {
      for (const replica of [...replicas]) await replica.stop();
      await dropNamespace(amqpUrl(), namespace);
      await database.drop();
    },
  };
}

/** Publishes a fact to the service's control queue, as dashboard-api does. */
export async function announce<Type extends EventType>(
  { db, messaging }: Pick<Replica, 'db' | 'messaging'>,
  type: Type,
  ...data: readonly EventData<Type>[]
): Promise<void> {
  const about = { environment: null, merchantId: null, aggregateId: 'fact', sequence: 1, occurredAt: new Date() };
  const drafts = data.map((each) => draft(type, { ...about, data: each }));
  await db.transaction((tx) => messaging.publish(tx, drafts, { queue: 'intent-api.control' }));
}

export async function outboxOf(db: Database, type: EventType): Promise<EventOf[]> {
  const rows = await db.query<{ body: string }>('select body from outbox where type = $1 order by seq', [type]);
  return rows.map((row) => JSON.parse(row.body) as EventOf);
}

export function aMerchant(change: Partial<MerchantFact> = {}): MerchantFact {
  return { id: uuidv7(), version: 1, deleted: false, name: 'Boi Bazar', isActive: true, enabledMethods: [], ...change };
}

export function anApiKey(change: Partial<ApiKeyFact> = {}): { key: string; fact: ApiKeyFact } {
  const key = newCredential('sk_test_');
  const owned = { merchantId: uuidv7(), environment: 'SANDBOX' as const };
  const usable = { scopes: ['payments:read' as const], isLocked: false, expiresAt: null, revokedAt: null };
  return {
    key,
    fact: { id: uuidv7(), version: 1, deleted: false, ...owned, keyHash: hashKey(key), ...usable, ...change },
  };
}

export function aDevice(change: Partial<DeviceFact> = {}): { key: string; fact: DeviceFact } {
  const key = newCredential('dk_test_');
  const owned = { merchantId: uuidv7(), environment: 'SANDBOX' as const, name: 'Phone', isDisabled: false, sims: [] };
  return { key, fact: { id: uuidv7(), version: 1, deleted: false, ...owned, keyHash: hashKey(key), ...change } };
}

export function aReceiverAccount(change: Partial<ReceiverAccountFact> = {}): ReceiverAccountFact {
  const owned = { merchantId: uuidv7(), environment: 'SANDBOX' as const };
  const wallet = { paymentMethod: 'BKASH_PAYMENT' as const, msisdn: '01712345678', isActive: true };
  return { id: uuidv7(), version: 1, deleted: false, ...owned, ...wallet, ...change };
}

/** The look-up routes of dashboard-api: return what a test has stored, count requests, and can be closed. */
export interface OwnerUnderTest {
  readonly client: ServiceClient;
  readonly known: Map<string, { apiKey: ApiKeyFact } | { device: DeviceFact }>;
  readonly asked: string[];
  readonly mostAtOnce: () => number;
  /** What happens between a request and its response. */
  readonly onRequest: { run: () => Promise<unknown> };
  goDown(): Promise<void>;
  close(): Promise<void>;
}

export async function ownerUnderTest(): Promise<OwnerUnderTest> {
  const known: OwnerUnderTest['known'] = new Map();
  const asked: string[] = [];
  const onRequest = { run: (): Promise<unknown> => Promise.resolve() };
  let underWay = 0;
  let most = 0;
  const server: Server = createServer((request, response) => {
    const [, , , kind, keyHash = ''] = (request.url ?? '').split('/');
    asked.push(keyHash);
    underWay += 1;
    most = Math.max(most, underWay);
    // Long enough for requests to be concurrent.
    void Promise.all([delay(20), onRequest.run()]).then(() => {
      underWay -= 1;
      const nothing = kind?.startsWith('device') ? { device: null } : { apiKey: null };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(known.get(keyHash) ?? nothing));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = serviceClient({
    issuer: service,
    audience: 'dashboard-api',
    secret: 's'.repeat(32),
    baseUrl: `http://127.0.0.1:${port}`,
    timeoutMs: 10_000,
  });
  const goDown = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    client,
    known,
    asked,
    onRequest,
    goDown,
    mostAtOnce: () => most,
    async close() {
      await client.close();
      await goDown();
    },
  };
}
