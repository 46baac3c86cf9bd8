import type { Metrics } from '@pay/runtime';

export type BalanceMetrics = ReturnType<typeof balanceMetrics>;

export function balanceMetrics(metrics: Metrics) {
  return {
    open: metrics.gauge({
      name: 'sms_missing_open',
      help: 'Gaps in the balances of wallets that no text explains, by direction of the money. Every process tells the same.',
      labels: ['direction'],
    }),
    found: metrics.counter({
      name: 'sms_missing_found_total',
      help: 'Gaps that were still there after the grace time.',
      labels: ['direction'],
    }),
    explained: metrics.counter({
      name: 'sms_missing_explained_total',
      help: 'Gaps that texts which came late have explained.',
      labels: ['direction'],
    }),
    breaks: metrics.counter({
      name: 'sms_balance_breaks_total',
      help: 'Texts whose balance the texts around them pass over.',
    }),
  };
}
