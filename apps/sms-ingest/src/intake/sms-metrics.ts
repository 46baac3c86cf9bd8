import type { Metrics } from '@pay/runtime';

export type SmsMetrics = ReturnType<typeof smsMetrics>;

export function smsMetrics(metrics: Metrics) {
  return {
    received: metrics.counter('sms_received_total'),
    refused: metrics.counter('sms_refused_total'),
    turnedAway: metrics.counter('sms_requests_turned_away_total'),
    reparsed: metrics.counter('sms_reparsed_total'),
    decided: metrics.counter('sms_decided_total'),
  };
}
