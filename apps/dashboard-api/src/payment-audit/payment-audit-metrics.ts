import type { Gauge, Metrics } from '@pay/runtime';

export interface PaymentAuditMetrics {
  readonly findings: Gauge<'kind'>;
}

export function paymentAuditMetrics(metrics: Metrics): PaymentAuditMetrics {
  return {
    findings: metrics.gauge('dashboard_payment_audit_findings'),
  };
}
