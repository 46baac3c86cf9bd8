import type { MetricEntry } from './entries';

const QUEUE = 'queues that the service consumes';

/** Metrics of the libraries, in every service that uses them. */
export const PROCESS_METRICS = {
  service_ready: {
    kind: 'gauge',
    unit: '0 or 1',
    help: '1 if /readyz answers 200. The checks run at every scrape.',
    labels: {},
  },
  secret_rotated_timestamp_seconds: {
    kind: 'gauge',
    unit: 'Unix time in seconds',
    help: 'Date since which a secret is in use, from ROTATION_DATES; 0 if ROTATION_DATES does not contain it.',
    labels: { setting: 'settings that hold secrets' },
  },
} as const satisfies Record<string, MetricEntry>;

export const HTTP_METRICS = {
  http_request_duration_seconds: {
    kind: 'histogram',
    unit: 'seconds',
    help: 'Time from the first byte of a request to the last byte of its response.',
    labels: {
      method: 'HTTP methods',
      route: 'route templates; unmatched: no route; other: beyond 300 routes',
      status: 'HTTP status codes; 499: the client closed the connection first',
    },
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  },
  rate_limited_total: {
    kind: 'counter',
    unit: 'requests',
    help: 'Requests answered 429 RATE_LIMITED, by limit.',
    labels: { limit: 'names of limits' },
  },
} as const satisfies Record<string, MetricEntry>;

export const DATABASE_METRICS = {
  database_round_trips_total: {
    kind: 'counter',
    unit: 'round trips',
    help: 'Round trips to Postgres: statements that were sent together count once.',
    labels: {},
  },
  database_clock_difference_seconds: {
    kind: 'gauge',
    unit: 'seconds',
    help: 'Time of the database minus time of this machine; 0 below 0.1.',
    labels: {},
  },
} as const satisfies Record<string, MetricEntry>;

export const MESSAGING_METRICS = {
  messaging_outbox_oldest_seconds: {
    kind: 'gauge',
    unit: 'seconds',
    help: 'Age of the oldest event that is not published.',
    labels: {},
  },
  messaging_outbox_pending: {
    kind: 'gauge',
    unit: 'events',
    help: 'Events that are committed and not published, at most 10,000.',
    labels: {},
  },
  messaging_open_replays: {
    kind: 'gauge',
    unit: 'replays',
    help: 'Replays of published events that are not finished: `node tools/replay.mjs status`.',
    labels: {},
  },
  messaging_published_total: {
    kind: 'counter',
    unit: 'events',
    help: 'Events handed to the broker, by outcome: confirmed, returned, refused, lost.',
    labels: { type: 'event types', outcome: ['confirmed', 'returned', 'refused', 'lost'] },
  },
  messaging_confirm_seconds: {
    kind: 'histogram',
    unit: 'seconds',
    help: 'From publishing to the confirm of the broker.',
    labels: {},
    buckets: [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  },
  messaging_relay_memory: {
    kind: 'gauge',
    unit: 'events',
    help: 'Events that the relay holds in memory.',
    labels: {},
  },
  messaging_unconfirmed: {
    kind: 'gauge',
    unit: 'messages',
    help: 'Messages handed to the broker that it has not confirmed yet.',
    labels: {},
  },
  messaging_connection_up: {
    kind: 'gauge',
    unit: '0 or 1',
    help: '1 while connected.',
    labels: { connection: ['publish', 'consume'] },
  },
  messaging_connection_blocked: {
    kind: 'gauge',
    unit: '0 or 1',
    help: '1 while the broker refuses publishing because it is short of memory or disk.',
    labels: { connection: ['publish', 'consume'] },
  },
  messaging_consumed_total: {
    kind: 'counter',
    unit: 'events',
    help: 'Messages taken from a queue, by outcome: handled, duplicate, not_yet, retried, parked, or moved to the overflow queue.',
    labels: { queue: QUEUE, outcome: ['handled', 'duplicate', 'not_yet', 'retried', 'parked', 'moved'] },
  },
  messaging_batch_size: {
    kind: 'histogram',
    unit: 'events',
    help: 'Messages handled in one transaction.',
    labels: { queue: QUEUE },
    buckets: [1, 2, 5, 10, 20, 50, 100, 200],
  },
  messaging_batch_seconds: {
    kind: 'histogram',
    unit: 'seconds',
    help: 'One transaction of a consumer, from BEGIN to COMMIT.',
    labels: { queue: QUEUE },
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  messaging_parked_total: {
    kind: 'counter',
    unit: 'messages',
    help: 'Messages parked, by reason: contract, unsigned, signature, publisher, permanent, tries, crash_loop.',
    labels: {
      queue: QUEUE,
      reason: ['contract', 'unsigned', 'signature', 'publisher', 'permanent', 'tries', 'crash_loop'],
    },
  },
  messaging_consumer_up: {
    kind: 'gauge',
    unit: '0 or 1',
    help: '1 while the queue is consumed.',
    labels: { queue: QUEUE },
  },
  messaging_queue_messages: {
    kind: 'gauge',
    unit: 'messages',
    help: 'Messages ready in the work queues of this service, the overflow queue included. A message holds up to 20 events.',
    labels: { queue: QUEUE },
  },
  messaging_parked_messages: {
    kind: 'gauge',
    unit: 'messages',
    help: 'Messages in the parked queues of this service.',
    labels: { queue: QUEUE },
  },
  messaging_queues_repaired_total: {
    kind: 'counter',
    unit: 'queues',
    help: 'Missing queues that were declared again.',
    labels: { queue: QUEUE },
  },
  messaging_publisher_epoch: {
    kind: 'gauge',
    unit: 'epoch',
    help: 'Epoch in which this service publishes. A change means that its database was promoted or restored.',
    labels: {},
  },
  messaging_sequence_conflicts_total: {
    kind: 'counter',
    unit: 'facts',
    help: 'Facts with the epoch and sequence of a stored fact but different content, by subject.',
    labels: { subject: ['decision', 'intent', 'sms', 'directory_fact'] },
  },
  messaging_bindings_repaired_total: {
    kind: 'counter',
    unit: 'bindings',
    help: 'Missing bindings of event types that were declared again and whose events were requested again.',
    labels: { queue: QUEUE },
  },
} as const satisfies Record<string, MetricEntry>;
