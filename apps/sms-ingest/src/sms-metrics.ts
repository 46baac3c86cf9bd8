import type { Metrics } from '@pay/runtime';

export type SmsMetrics = ReturnType<typeof smsMetrics>;

export function smsMetrics(metrics: Metrics) {
  return {
    received: metrics.counter({
      name: 'sms_received_total',
      help: 'SMS taken in, by provider (none: sender not trusted), status (REPEAT: seen before) and, if UNPARSED, the reason.',
      labels: ['provider', 'status', 'reason'],
    }),
    refused: metrics.counter({
      name: 'sms_refused_total',
      help: 'Messages of a batch that were not taken in.',
      labels: ['code'],
    }),
    turnedAway: metrics.counter({
      name: 'sms_requests_turned_away_total',
      help: 'Requests answered 429 BUSY, by what was full: device, merchant, all, or wait when commits take too long.',
      labels: ['bound'],
    }),
    reparsed: metrics.counter({
      name: 'sms_reparsed_total',
      help: 'UNPARSED SMS that were read again with another result, by the status they have since.',
      labels: ['status'],
    }),
    decided: metrics.counter({
      name: 'sms_decided_total',
      help: 'Decisions of the reconciler that were applied to an SMS, by the status it has since.',
      labels: ['status'],
    }),
  };
}
