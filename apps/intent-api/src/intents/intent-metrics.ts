import type { Metrics } from '@pay/runtime';

export type IntentMetrics = ReturnType<typeof intentMetrics>;

export function intentMetrics(metrics: Metrics) {
  return {
    created: metrics.counter('intents_created_total'),
    settled: metrics.counter('intents_settled_total'),
    smsToPaid: metrics.histogram('sms_to_paid_seconds'),
  };
}
