import type { Metrics } from '@pay/runtime';

export type BalanceMetrics = ReturnType<typeof balanceMetrics>;

export function balanceMetrics(metrics: Metrics) {
  return {
    found: metrics.counter('sms_missing_found_total'),
    explained: metrics.counter('sms_missing_explained_total'),
    breaks: metrics.counter('sms_balance_breaks_total'),
  };
}
