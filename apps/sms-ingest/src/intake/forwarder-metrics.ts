import type { Metrics } from '@pay/runtime';

export type ForwarderMetrics = ReturnType<typeof forwarderMetrics>;

export function forwarderMetrics(metrics: Metrics) {
  return {
    requests: metrics.counter('forwarder_requests_total'),
  };
}
