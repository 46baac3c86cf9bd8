import type { Gauge, Metrics } from '@pay/runtime';

export interface PaymentAuditMetrics {
  readonly findings: Gauge<'kind'>;
  readonly lastRound: Gauge;
}

export function paymentAuditMetrics(metrics: Metrics): PaymentAuditMetrics {
  return {
    findings: metrics.gauge({
      name: 'dashboard_payment_audit_findings',
      help: 'Confirmed mismatches between decisions, intents, event feed and deliveries that are not resolved, by kind.',
      labels: ['kind'],
    }),
    lastRound: metrics.gauge({
      name: 'dashboard_payment_audit_last_round_timestamp_seconds',
      help: 'Unix time at which this process last completed a round of the payment audit; 0 before the first one.',
    }),
  };
}
