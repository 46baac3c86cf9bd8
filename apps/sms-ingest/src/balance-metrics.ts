import type { Queryable } from '@pay/persistence';
import type { Metrics } from '@pay/runtime';
import { countOpenGaps } from './db/missing-sms';

export type BalanceMetrics = ReturnType<typeof balanceMetrics>;

export function balanceMetrics(metrics: Metrics, db: Queryable) {
  metrics.gauge({
    name: 'sms_missing_open',
    help: 'Gaps in the balances of wallets that no text explains, by direction of the money.',
    labels: ['direction'],
    async collect(gauge) {
      const open = new Map((await countOpenGaps(db)).map(({ direction, count }) => [direction, count]));
      for (const direction of ['IN', 'OUT'] as const) gauge.set({ direction }, open.get(direction) ?? 0);
    },
  });
  return {
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
