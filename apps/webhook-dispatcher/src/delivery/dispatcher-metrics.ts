import type { Environment } from '@pay/contracts';
import { ageInSeconds, databaseGauges, type Metrics } from '@pay/runtime';
import { countDue, oldestFirstAttempts } from './delivery-repository';
import { countActive, countBroken } from '../endpoints/endpoint-health-repository';
import type { OutcomeClass } from '../domain/outcome';
import type { ServiceDeps } from '../service-deps';

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

export function watchQueues(
  { metrics, log, db, now }: Pick<ServiceDeps, 'metrics' | 'log' | 'db' | 'now'>,
  inFlight: () => number,
): void {
  metrics.gauge('webhook_requests_in_flight', (gauge) => gauge.set(inFlight()));
  const gauge = databaseGauges(metrics, log);
  gauge('webhook_deliveries_due', () => countDue(db));
  gauge('webhook_first_attempt_oldest_seconds', async () =>
    (await oldestFirstAttempts(db)).map((each) => ({ ...each, value: ageInSeconds(each.oldest, now()) })),
  );
  gauge('webhook_endpoints_broken', () => countBroken(db));
  gauge('webhook_endpoints_active', () => countActive(db));
}
