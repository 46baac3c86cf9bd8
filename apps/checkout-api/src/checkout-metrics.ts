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
    streams: metrics.gauge({ name: 'checkout_streams_open', help: 'Event streams that are open on this replica.' }),
    told: metrics.counter({
      name: 'checkout_stream_views_total',
      help: 'Views sent to event streams, the first of each included.',
    }),
  };
}
