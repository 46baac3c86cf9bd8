import type { Metrics } from '@pay/runtime';

export type ForwarderMetrics = ReturnType<typeof forwarderMetrics>;

export function forwarderMetrics(metrics: Metrics) {
  return {
    requests: metrics.counter({
      name: 'forwarder_requests_total',
      help: 'Requests to hooks, by app and what they were; signature, stale and malformed ones were refused.',
      labels: ['adapter', 'outcome'],
    }),
  };
}
