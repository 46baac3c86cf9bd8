import type { Environment } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { databaseGauges, type Logger, type Metrics } from '@pay/runtime';
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

export function watchQueues(metrics: Metrics, log: Logger, db: Queryable, inFlight: () => number): void {
  metrics.gauge('webhook_requests_in_flight', (gauge) => gauge.set(inFlight()));
  const gauge = databaseGauges(metrics, log);
  gauge('webhook_deliveries_due', () => countDue(db));
  gauge('webhook_endpoints_broken', () => countBroken(db));
  gauge('webhook_endpoints_active', () => countActive(db));
}
