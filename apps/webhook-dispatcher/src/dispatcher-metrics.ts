import type { Queryable } from '@pay/persistence';
import type { Metrics } from '@pay/runtime';
import { countDue } from './db/deliveries';
import { countBroken } from './db/endpoint-health';
import type { OutcomeClass } from './domain/outcome';

export interface DispatcherMetrics {
  attempted(outcome: OutcomeClass, seconds: number): void;
  /** From the time of the event to the moment its first request leaves. */
  firstAttempt(seconds: number): void;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 60, 300];

export function dispatcherMetrics(metrics: Metrics): DispatcherMetrics {
  const attempts = metrics.counter({
    name: 'webhook_attempts_total',
    help: 'Requests to endpoints, by how they ended',
    labels: ['outcome'],
  });
  const duration = metrics.histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Duration of requests to endpoints',
    buckets: SECONDS,
  });
  const first = metrics.histogram({
    name: 'webhook_event_to_first_attempt_seconds',
    help: 'From an event to the first request about it',
    buckets: SECONDS,
  });
  return {
    attempted(outcome, seconds) {
      attempts.inc({ outcome });
      duration.observe(seconds);
    },
    firstAttempt(seconds) {
      first.observe(Math.max(0, seconds));
    },
  };
}

/** Gauges that are asked for at each scrape. While the database is away the last backlog stands. */
export function watchQueues(metrics: Metrics, db: Queryable, inFlight: () => number): void {
  metrics.gauge({
    name: 'webhook_requests_in_flight',
    help: 'Requests to endpoints that wait for their answer in this process',
    collect: (gauge) => gauge.set(inFlight()),
  });
  metrics.gauge({
    name: 'webhook_deliveries_due',
    help: 'Deliveries of all processes that wait for a slot; counted to 100000',
    collect: (gauge) => setFrom(gauge, countDue(db)),
  });
  metrics.gauge({
    name: 'webhook_endpoints_broken',
    help: 'Endpoints that have stopped answering: no request is made to them but probes',
    collect: (gauge) => setFrom(gauge, countBroken(db)),
  });
}

async function setFrom(gauge: { set(value: number): void }, counting: Promise<number>): Promise<void> {
  await counting.then(
    (total) => gauge.set(total),
    () => undefined,
  );
}
