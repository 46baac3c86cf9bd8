import type { Metrics } from '@pay/runtime';

export type IntentMetrics = ReturnType<typeof intentMetrics>;

export function intentMetrics(metrics: Metrics) {
  return {
    created: metrics.counter({
      name: 'intents_created_total',
      help: 'Payment intents created; replays of an idempotency key do not count.',
      labels: ['environment'],
    }),
    settled: metrics.counter({
      name: 'intents_settled_total',
      help: 'Moves of payment intents to a status.',
      labels: ['environment', 'status'],
    }),
  };
}
