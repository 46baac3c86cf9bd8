import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { amqpUrl, testDatabase, testNamespace } from '@pay/testing';
import { eventsOf, type EventOf, type ServiceName } from '@pay/contracts';
import { migrate, openDatabase, type Database, type Migration, type Transaction } from '@pay/persistence';
import { createLogger, createMetrics, type Logger, type Metrics, type Worker } from '@pay/runtime';
import { uuidv7 } from 'uuidv7';
import { draft, messagingMigrations, type EventDraft, type Handle, type Messaging } from '../src';
import { dropNamespace, openTestMessaging, QUICK_TIMINGS } from './support';
import { ownerOf } from '../src/broker/topology';
import type { Timings } from '../src/timings';

/** The effect of a handler: one row per event. A second effect adds a second row. */
export const migrations: Migration[] = [
  ...messagingMigrations,
  {
    name: '20270101000000-create-effects',
    sql: 'create table effects (place bigint generated always as identity, event_id uuid not null, aggregate_id text, sequence bigint)',
  },
];

export interface Place {
  readonly databaseUrl: string;
  readonly amqpUrl: string;
  readonly namespace: string;
  /** Services that a failed test has not stopped; `drop` stops them. */
  readonly running: Set<RunningService>;
  drop(): Promise<void>;
}

/** A database and a namespace of the spec's own on the shared servers. */
export async function aPlace(service: ServiceName = 'intent-api', namespace = testNamespace()): Promise<Place> {
  const database = await testDatabase({
    service,
    migrate: (url) => migrate({ url, migrations, log: silentLog() }),
    content: migrations.map((each) => each.sql).join(),
  });
  const running = new Set<RunningService>();
  return {
    databaseUrl: database.url,
    amqpUrl: amqpUrl(),
    namespace,
    running,
    async drop() {
      await Promise.all([...running].map((service) => service.stop()));
      await database.drop();
      await dropNamespace(amqpUrl(), namespace);
    },
  };
}

/** Settings for another process to use the same database and namespace. */
export function at({ databaseUrl, amqpUrl, namespace }: Place) {
  return { databaseUrl, amqpUrl, namespace };
}

export function silentLog() {
  return createLogger({ service: 'spec', level: process.env['SPEC_LOG'] ?? 'silent' });
}

/** `events` are the names of the logged events. */
export function recordingLog() {
  const events: unknown[] = [];
  const destination = { write: (line: string) => void events.push((JSON.parse(line) as { msg?: unknown }).msg) };
  return { log: createLogger({ service: 'spec', level: 'debug', destination }), events };
}

export interface RunningService {
  readonly db: Database;
  readonly messaging: Messaging;
  readonly metrics: Metrics;
  readonly workers: { readonly name: string; readonly ended: Promise<void> }[];
  start(worker: Worker): void;
  stop(): Promise<void>;
}

/** The messaging part of a service, in this process. */
export async function aService(
  place: Place,
  {
    service = 'intent-api',
    consumesFor = [ownerOf(QUEUE)],
    timings,
    log = silentLog(),
  }: {
    service?: ServiceName;
    consumesFor?: readonly ServiceName[];
    timings?: Partial<Timings>;
    log?: Logger;
  } = {},
): Promise<RunningService> {
  const metrics = createMetrics(service);
  const db = await openDatabase({ url: place.databaseUrl, poolSize: 6, applicationName: service, log, migrations });
  const messaging = await openTestMessaging({
    url: place.amqpUrl,
    namespace: place.namespace,
    service,
    db,
    log,
    metrics,
    consumesFor,
    timings: { ...QUICK_TIMINGS, ...timings },
  });
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const workers: { name: string; ended: Promise<void> }[] = [];
  const running: RunningService = {
    db,
    messaging,
    metrics,
    workers,
    start(worker) {
      const ended = worker.run(stopping.signal);
      ended.catch(() => undefined);
      workers.push({ name: worker.name, ended });
    },
    async stop() {
      if (!place.running.delete(running)) return;
      stopping.abort();
      await Promise.allSettled(workers.map((worker) => worker.ended));
      await messaging.close();
      await db.close();
    },
  };
  place.running.add(running);
  return running;
}

/** The simplest event that has a queue: it goes to `reconciler.events`. */
export function anEvent(input: { aggregateId?: string; sequence?: number; id?: string } = {}): EventDraft {
  return draft('claim.submitted', {
    environment: 'SANDBOX',
    merchantId: '0198a5a0-0000-7000-8000-000000000001',
    aggregateId: input.aggregateId ?? randomUUID(),
    sequence: input.sequence ?? 1,
    id: input.id ?? uuidv7(),
    occurredAt: new Date('2026-11-21T10:00:00Z'),
    data: {
      claimId: '0198a5a0-0000-7000-8000-000000000002',
      paymentIntentId: '0198a5a0-0000-7000-8000-000000000003',
      trxId: 'DKL4A1B2C3',
      submittedAt: '2026-11-21T10:00:00.000Z',
    },
  });
}

export const QUEUE = 'reconciler.events';

export async function publishAll(
  service: Pick<RunningService, 'db' | 'messaging'>,
  drafts: readonly EventDraft[],
): Promise<void> {
  await service.db.transaction((tx) => service.messaging.publish(tx, drafts));
}

/** Writes one effect per event, in the handler's transaction. */
export async function record(tx: Transaction, events: readonly EventOf[]): Promise<void> {
  const claims = eventsOf(events, 'claim.submitted');
  await tx.execute(
    'insert into effects (event_id, aggregate_id, sequence) select * from unnest($1::uuid[], $2::text[], $3::bigint[])',
    [claims.map((event) => event.id), claims.map((event) => event.aggregateId), claims.map((event) => event.sequence)],
  );
}

export const recording: Handle = async (tx, events) => {
  await record(tx, events);
};

/** Ids with an effect, in order, one entry per effect. */
export async function effects(db: Database): Promise<string[]> {
  return (await db.query<{ event_id: string }>('select event_id from effects order by place')).map(
    (row) => row.event_id,
  );
}

export async function unpublished(db: Database): Promise<number> {
  const [row] = await db.query<{ n: number }>('select count(*)::int as n from outbox_pending');
  return row?.n ?? -1;
}

export const idsOf = (drafts: readonly EventDraft[]) => drafts.map((event) => event.id);

/** A gate that is closed until it is opened; `arrived` resolves when a caller waits for it. */
export function aGate() {
  let open: () => void = () => undefined;
  let arrive: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  return {
    arrived,
    open: () => open(),
    async pass(): Promise<void> {
      arrive();
      await opened;
    },
  };
}

/** Consumes the service's control queue for messaging, so that replays run. */
export function startControl(service: RunningService, queue: string): void {
  const { messaging } = service;
  service.start(messaging.consumer({ queue, handle: (tx, events) => messaging.handleControl(tx, events) }));
}

/** The value of a metric with these labels. */
export async function metricOf(service: RunningService, name: string, labels: Record<string, string>): Promise<number> {
  const metric = await service.metrics.registry.getSingleMetric(name)?.get();
  const values = metric?.values.filter((value) =>
    Object.entries(labels).every(([label, wanted]) =>
      Object.entries(value.labels).some(([key, is]) => key === label && is === wanted),
    ),
  );
  return values?.reduce((sum, value) => sum + value.value, 0) ?? 0;
}
