import type { Metrics } from '@pay/runtime';

export type CheckoutMetrics = ReturnType<typeof checkoutMetrics>;

export function checkoutMetrics(metrics: Metrics) {
  return {
    decided: metrics.counter('claims_judged_total'),
    fetched: metrics.counter('intent_copies_fetched_total'),
    streams: metrics.gauge('checkout_streams_open'),
    viewsSent: metrics.counter('checkout_stream_views_total'),
  };
}
