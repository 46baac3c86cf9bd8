import { counter, gauge, histogram } from './entries';
import { TASKS, type TaskEntry } from './tasks';

const TASK: Record<'task' | keyof TaskEntry, readonly string[]> = {
  task: Object.keys(TASKS),
  scope: ['process', 'service'],
  severity: ['page', 'ticket'],
};
const QUEUE = 'queues that the service consumes';

export const PROCESS_METRICS = {
  service_ready: gauge('0 or 1', '1 if /readyz answers 200. The checks run at every scrape.'),
  task_last_success_timestamp_seconds: gauge(
    'Unix time in seconds',
    'End of the last successful run of a periodic task in this process; before the first one, the start of the task. Runs that leave the work to another replica do not count.',
    TASK,
  ),
  task_interval_seconds: gauge('seconds', 'Wait between two runs of a periodic task.', TASK),
  secret_rotated_timestamp_seconds: gauge(
    'Unix time in seconds',
    'Date since which a secret is in use, from ROTATION_DATES; 0 if ROTATION_DATES does not contain it.',
    { setting: 'settings that hold secrets' },
  ),
  tls_certificate_end_timestamp_seconds: gauge(
    'Unix time in seconds',
    'End of validity of the certificates of a server, or of the authorities that signed them if earlier, at the last connection with TLS.',
    { server: ['postgres', 'rabbitmq'] },
  ),
};

export const HTTP_METRICS = {
  http_request_duration_seconds: histogram(
    'seconds',
    'Time from the first byte of a request to the last byte of its response.',
    {
      method: 'HTTP methods',
      route: 'route templates; unmatched: no route; other: beyond 300 routes',
      status: 'HTTP status codes; 499: the client closed the connection first',
    },
    [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  ),
  rate_limited_total: counter('requests', 'Requests answered 429 RATE_LIMITED, by limit.', {
    limit: 'names of limits',
  }),
};

export const DATABASE_METRICS = {
  database_round_trips_total: counter(
    'round trips',
    'Round trips to Postgres: statements that were sent together count once.',
  ),
  database_gauge_readable: gauge(
    '0 or 1',
    '0 if a gauge could not be read from the database at the last scrape within two seconds; it is NaN then.',
    { gauge: 'gauges that are read from the database' },
  ),
  database_clock_difference_seconds: gauge('seconds', 'Time of the database minus time of this machine; 0 below 0.1.'),
};

export const MESSAGING_METRICS = {
  messaging_outbox_oldest_seconds: gauge('seconds', 'Age of the oldest event that is not published.'),
  messaging_outbox_pending: gauge('events', 'Events that are committed and not published, at most 10,000.'),
  messaging_open_replays: gauge(
    'replays',
    'Replays of published events that are not finished: `node tools/replay.mjs status`.',
  ),
  messaging_published_total: counter(
    'events',
    'Events handed to the broker, by outcome: confirmed, returned, refused, lost.',
    { type: 'event types', outcome: ['confirmed', 'returned', 'refused', 'lost'] },
  ),
  messaging_confirm_seconds: histogram(
    'seconds',
    'From publishing to the confirm of the broker.',
    {},
    [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  ),
  messaging_relay_memory: gauge('events', 'Events that the relay holds in memory.'),
  messaging_unconfirmed: gauge('messages', 'Messages handed to the broker that it has not confirmed yet.'),
  messaging_connection_up: gauge('0 or 1', '1 while connected.', { connection: ['publish', 'consume'] }),
  messaging_connection_blocked: gauge(
    '0 or 1',
    '1 while the broker refuses publishing because it is short of memory or disk.',
    { connection: ['publish', 'consume'] },
  ),
  messaging_consumed_total: counter(
    'events',
    'Messages taken from a queue, by outcome: handled, duplicate, not_yet, retried, parked, or moved to the overflow queue.',
    { queue: QUEUE, outcome: ['handled', 'duplicate', 'not_yet', 'retried', 'parked', 'moved'] },
  ),
  messaging_batch_size: histogram(
    'events',
    'Messages handled in one transaction.',
    { queue: QUEUE },
    [1, 2, 5, 10, 20, 50, 100, 200],
  ),
  messaging_batch_seconds: histogram(
    'seconds',
    'One transaction of a consumer, from BEGIN to COMMIT.',
    { queue: QUEUE },
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  ),
  messaging_parked_total: counter(
    'messages',
    'Messages parked, by reason: contract, unsigned, signature, publisher, permanent, tries, crash_loop.',
    {
      queue: QUEUE,
      reason: ['contract', 'unsigned', 'signature', 'publisher', 'permanent', 'tries', 'crash_loop'],
    },
  ),
  messaging_consumer_up: gauge('0 or 1', '1 while the queue is consumed.', { queue: QUEUE }),
  messaging_queue_messages: gauge(
    'messages',
    'Messages ready in the work queues of this service, the overflow queue included. A message holds up to 20 events.',
    { queue: QUEUE },
  ),
  messaging_parked_messages: gauge('messages', 'Messages in the parked queues of this service.', { queue: QUEUE }),
  messaging_queues_repaired_total: counter('queues', 'Missing queues that were declared again.', { queue: QUEUE }),
  messaging_publisher_epoch: gauge(
    'epoch',
    'Epoch in which this service publishes. A change means that its database was promoted or restored.',
  ),
  messaging_sequence_conflicts_total: counter(
    'facts',
    'Facts with the epoch and sequence of a stored fact but different content, by subject.',
    { subject: ['decision', 'intent', 'sms', 'directory_fact'] },
  ),
  messaging_bindings_repaired_total: counter(
    'bindings',
    'Missing bindings of event types that were declared again and whose events were requested again.',
    { queue: QUEUE },
  ),
};
