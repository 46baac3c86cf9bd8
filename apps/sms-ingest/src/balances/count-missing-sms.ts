import type { Queryable } from '@pay/persistence';
import type { BalanceMetrics } from './balance-metrics';
import { countOpenGaps } from './missing-sms-repository';

/** Updates the gauge of open gaps. */
export async function countMissingSms(deps: {
  readonly db: Queryable;
  readonly metrics: BalanceMetrics;
}): Promise<void> {
  const open = new Map((await countOpenGaps(deps.db)).map(({ direction, count }) => [direction, count]));
  for (const direction of ['IN', 'OUT'] as const) deps.metrics.open.set({ direction }, open.get(direction) ?? 0);
}
