import type { Gauge, Metrics } from '@pay/runtime';

export interface PaymentAuditMetrics {
  readonly findings: Gauge<'kind'>;
  readonly lastRound: Gauge;
}

export function paymentAuditMetrics(metrics: Metrics): PaymentAuditMetrics {
  return {
    findings: metrics.gauge('dashboard_payment_audit_findings'),
    lastRound: metrics.gauge('dashboard_payment_audit_last_round_timestamp_seconds'),
  };
}
