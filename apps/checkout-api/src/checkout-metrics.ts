import type { Metrics } from '@pay/runtime';

export type CheckoutMetrics = ReturnType<typeof checkoutMetrics>;

export function checkoutMetrics(metrics: Metrics) {
  return {
    judged: metrics.counter({
      name: 'claims_judged_total',
      help: 'TrxID claims by the outcome their customer was told; processing means that nobody judged in time.',
      labels: ['environment', 'outcome'],
    }),
    fetched: metrics.counter({
      name: 'intent_copies_fetched_total',
      help: 'Intents asked of intent-api because no event of them had arrived.',
      labels: ['result'],
    }),
  };
}
