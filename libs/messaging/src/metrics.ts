import type { Database } from '@pay/persistence';
import {
  databaseGauges,
  onceAtATime,
  type Counter,
  type Gauge,
  type Histogram,
  type Logger,
  type Metrics,
} from '@pay/runtime';

export const CONFLICT_SUBJECTS = ['decision', 'intent', 'sms', 'directory_fact'] as const;

export interface MessagingMetrics {
  readonly published: Counter<'type' | 'outcome'>;
  readonly confirmSeconds: Histogram;
  readonly relayMemory: Gauge;
  readonly unconfirmed: Gauge;
  readonly connectionUp: Gauge<'connection'>;
  readonly connectionBlocked: Gauge<'connection'>;
  readonly certificateEnd: Gauge<'server'>;
  readonly consumed: Counter<'queue' | 'outcome'>;
  readonly batchSize: Histogram<'queue'>;
  readonly batchSeconds: Histogram<'queue'>;
  readonly parked: Counter<'queue' | 'reason'>;
  readonly consumerUp: Gauge<'queue'>;
  readonly queueMessages: Gauge<'queue'>;
  readonly parkedMessages: Gauge<'queue'>;
  readonly repaired: Counter<'queue'>;
  readonly publisherEpoch: Gauge;
  readonly sequenceConflicts: Counter<'subject'>;
  readonly bindingsRepaired: Counter<'queue'>;
}

// Ids are UUIDs v7: the oldest events come first. All of a large backlog would take longer than a scrape.
const BACKLOG = `select count(*)::int as pending, coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as oldest,
    (select count(*)::int from outbox_replays where finished_at is null) as replays
  from (select created_at from outbox_pending order by id limit 10000) as first`;

/** Labels are queues, event types and outcomes, all closed sets. `queues` are those that the service consumes. */
export function messagingMetrics(
  metrics: Metrics,
  db: Pick<Database, 'query'>,
  log: Logger,
  queues: readonly string[] = [],
): MessagingMetrics {
  const gauge = databaseGauges(metrics, log);
  // Gauges of one scrape share a query.
  const backlog = onceAtATime(() => db.query<{ pending: number; oldest: number; replays: number }>(BACKLOG));
  gauge('messaging_outbox_oldest_seconds', async () => (await backlog())[0]?.oldest ?? 0);
  gauge('messaging_outbox_pending', async () => (await backlog())[0]?.pending ?? 0);
  gauge('messaging_open_replays', async () => (await backlog())[0]?.replays ?? 0);
  const ofQueues = queues.map((queue) => ({ queue }));
  const ofSubjects = CONFLICT_SUBJECTS.map((subject) => ({ subject }));
  return {
    published: metrics.counter('messaging_published_total'),
    confirmSeconds: metrics.histogram('messaging_confirm_seconds'),
    relayMemory: metrics.gauge('messaging_relay_memory'),
    unconfirmed: metrics.gauge('messaging_unconfirmed'),
    connectionUp: metrics.gauge('messaging_connection_up'),
    connectionBlocked: metrics.gauge('messaging_connection_blocked'),
    certificateEnd: metrics.gauge('tls_certificate_end_timestamp_seconds'),
    consumed: metrics.counter('messaging_consumed_total'),
    batchSize: metrics.histogram('messaging_batch_size'),
    batchSeconds: metrics.histogram('messaging_batch_seconds'),
    parked: metrics.counter('messaging_parked_total'),
    consumerUp: metrics.gauge('messaging_consumer_up'),
    queueMessages: metrics.gauge('messaging_queue_messages'),
    parkedMessages: metrics.gauge('messaging_parked_messages'),
    repaired: startedAtZero(metrics.counter('messaging_queues_repaired_total'), ofQueues),
    publisherEpoch: metrics.gauge('messaging_publisher_epoch'),
    sequenceConflicts: startedAtZero(metrics.counter('messaging_sequence_conflicts_total'), ofSubjects),
    bindingsRepaired: startedAtZero(metrics.counter('messaging_bindings_repaired_total'), ofQueues),
  };
}

/** `increase()` does not see the first increment of a series that begins with it. */
function startedAtZero<Label extends string>(
  counter: Counter<Label>,
  labels: readonly Readonly<Record<Label, string>>[],
): Counter<Label> {
  for (const each of labels) counter.inc(each, 0);
  return counter;
}
