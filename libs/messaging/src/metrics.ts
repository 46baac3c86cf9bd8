import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@pay/persistence';
import type { Counter, Gauge, Histogram, Metrics } from '@pay/runtime';

export interface MessagingMetrics {
  readonly published: Counter<'type' | 'outcome'>;
  readonly confirmSeconds: Histogram;
  readonly relayMemory: Gauge;
  readonly unconfirmed: Gauge;
  readonly connectionUp: Gauge<'connection'>;
  readonly connectionBlocked: Gauge<'connection'>;
  readonly consumed: Counter<'queue' | 'outcome'>;
  readonly batchSize: Histogram<'queue'>;
  readonly batchSeconds: Histogram<'queue'>;
  readonly parked: Counter<'queue' | 'reason'>;
  readonly unsigned: Counter<'queue'>;
  readonly consumerUp: Gauge<'queue'>;
  readonly parkedMessages: Gauge<'queue'>;
  readonly repaired: Counter<'queue'>;
  readonly publisherEpoch: Gauge;
  readonly sequenceConflicts: Counter<'subject'>;
  readonly bindingsRepaired: Counter<'queue'>;
}

const SCRAPE_TIMEOUT_MS = 2_000;
const BACKLOG = `select count(*)::int as pending, coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as oldest,
    (select count(*)::int from outbox_replays where finished_at is null) as replays
  from outbox_pending`;

/** The library's metrics. Labels are queues, event types and outcomes, all closed sets. */
export function messagingMetrics(metrics: Metrics, db: Pick<Database, 'query'>): MessagingMetrics {
  const backlog = once(() => Promise.race([readBacklog(db), timeout()]));
  metrics.gauge({
    name: 'messaging_outbox_oldest_seconds',
    help: 'Age of the oldest event that is not published.',
    collect: async (gauge) => gauge.set((await backlog())?.oldest ?? Number.NaN),
  });
  metrics.gauge({
    name: 'messaging_outbox_pending',
    help: 'Events that are committed and not published.',
    collect: async (gauge) => gauge.set((await backlog())?.pending ?? Number.NaN),
  });
  metrics.gauge({
    name: 'messaging_open_replays',
    help: 'Replays of published events that are not finished: `node tools/replay.mjs status`.',
    collect: async (gauge) => gauge.set((await backlog())?.replays ?? Number.NaN),
  });
  return {
    published: metrics.counter({
      name: 'messaging_published_total',
      help: 'Events handed to the broker, by outcome: confirmed, returned, refused, lost.',
      labels: ['type', 'outcome'],
    }),
    confirmSeconds: metrics.histogram({
      name: 'messaging_confirm_seconds',
      help: 'From publishing to the confirm of the broker.',
      buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    }),
    relayMemory: metrics.gauge({ name: 'messaging_relay_memory', help: 'Events that the relay holds in memory.' }),
    unconfirmed: metrics.gauge({
      name: 'messaging_unconfirmed',
      help: 'Messages handed to the broker that it has not confirmed yet.',
    }),
    connectionUp: metrics.gauge({
      name: 'messaging_connection_up',
      help: '1 while connected.',
      labels: ['connection'],
    }),
    connectionBlocked: metrics.gauge({
      name: 'messaging_connection_blocked',
      help: '1 while the broker refuses publishing because it is short of memory or disk.',
      labels: ['connection'],
    }),
    consumed: metrics.counter({
      name: 'messaging_consumed_total',
      help: 'Messages taken from a queue, by outcome: handled, duplicate, not_yet, retried, parked, or moved to the side lane.',
      labels: ['queue', 'outcome'],
    }),
    batchSize: metrics.histogram({
      name: 'messaging_batch_size',
      help: 'Messages handled in one transaction.',
      labels: ['queue'],
      buckets: [1, 2, 5, 10, 20, 50, 100, 200],
    }),
    batchSeconds: metrics.histogram({
      name: 'messaging_batch_seconds',
      help: 'One transaction of a consumer, from BEGIN to COMMIT.',
      labels: ['queue'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    }),
    parked: metrics.counter({
      name: 'messaging_parked_total',
      help: 'Messages parked, by reason: contract, unsigned, signature, publisher, permanent, tries, crash_loop.',
      labels: ['queue', 'reason'],
    }),
    unsigned: metrics.counter({
      name: 'messaging_unsigned_total',
      help: 'Events without a signature that were accepted, because EVENT_SIGNATURES is accept-unsigned.',
      labels: ['queue'],
    }),
    consumerUp: metrics.gauge({
      name: 'messaging_consumer_up',
      help: '1 while the queue is consumed.',
      labels: ['queue'],
    }),
    parkedMessages: metrics.gauge({
      name: 'messaging_parked_messages',
      help: 'Messages in the parked queues of this service.',
      labels: ['queue'],
    }),
    repaired: metrics.counter({
      name: 'messaging_queues_repaired_total',
      help: 'Queues that were missing and have been made again.',
      labels: ['queue'],
    }),
    publisherEpoch: metrics.gauge({
      name: 'messaging_publisher_epoch',
      help: 'Epoch in which this service publishes. A change means that its database was promoted or restored.',
    }),
    sequenceConflicts: metrics.counter({
      name: 'messaging_sequence_conflicts_total',
      help: 'Facts with the epoch and sequence of a stored one and another content, by subject.',
      labels: ['subject'],
    }),
    bindingsRepaired: metrics.counter({
      name: 'messaging_bindings_repaired_total',
      help: 'Bindings of event types that were missing, have been declared again, and whose events were requested again.',
      labels: ['queue'],
    }),
  };
}

/** Gauges of one scrape share an answer. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<T> | undefined;
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

interface Backlog {
  readonly pending: number;
  readonly oldest: number;
  readonly replays: number;
}

async function readBacklog(db: Pick<Database, 'query'>): Promise<Backlog | undefined> {
  return db.query<Backlog>(BACKLOG).then(
    ([row]) => row,
    () => undefined,
  );
}

function timeout(): Promise<undefined> {
  return delay(SCRAPE_TIMEOUT_MS, undefined, { ref: false });
}
