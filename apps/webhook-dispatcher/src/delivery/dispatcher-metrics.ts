import { environmentSchema, type Environment } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import type { Gauge, Metrics } from '@pay/runtime';
import { countDue } from './delivery-repository';
import { countActive, countBroken } from '../endpoints/endpoint-health-repository';
import type { OutcomeClass } from '../domain/outcome';

export interface DispatcherMetrics {
  attempted(environment: Environment, outcome: OutcomeClass, seconds: number): void;
  /** Seconds from the event to the start of its first request. */
  firstAttempt(environment: Environment, seconds: number): void;
}

export function dispatcherMetrics(metrics: Metrics): DispatcherMetrics {
  const attempts = metrics.counter('webhook_attempts_total');
  const duration = metrics.histogram('webhook_attempt_duration_seconds');
  const first = metrics.histogram('webhook_event_to_first_attempt_seconds');
  return {
    attempted(environment, outcome, seconds) {
      attempts.inc({ environment, outcome });
      duration.observe(seconds);
    },
    firstAttempt(environment, seconds) {
      first.observe({ environment }, Math.max(0, seconds));
    },
  };
}

/** If the database is unavailable, gauges keep their last values. */
export function watchQueues(metrics: Metrics, db: Queryable, inFlight: () => number): void {
  metrics.gauge('webhook_requests_in_flight', (gauge) => gauge.set(inFlight()));
  metrics.gauge('webhook_deliveries_due', (gauge) => setFrom(countDue(db), (total) => gauge.set(total)));
  metrics.gauge('webhook_endpoints_broken', (gauge) => setFrom(countBroken(db), byEnvironment(gauge)));
  metrics.gauge('webhook_endpoints_active', (gauge) => setFrom(countActive(db), byEnvironment(gauge)));
}

function byEnvironment(gauge: Gauge<'environment'>): (totals: Readonly<Record<Environment, number>>) => void {
  return (totals) => {
    for (const environment of environmentSchema.options) gauge.set({ environment }, totals[environment]);
  };
}

async function setFrom<T>(counting: Promise<T>, set: (counted: T) => void): Promise<void> {
  await counting.then(set, () => undefined);
}
