import { environmentSchema } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import type { BalanceMetrics } from './balance-metrics';
import { countOpenGaps } from './missing-sms-repository';

/** Updates the gauge of open gaps that were reported recently. */
export async function countMissingSms(deps: {
  readonly db: Queryable;
  readonly metrics: BalanceMetrics;
  readonly now: () => Date;
}): Promise<void> {
  const open = await countOpenGaps(deps.db, deps.now());
  for (const environment of environmentSchema.options)
    for (const direction of ['IN', 'OUT'] as const) deps.metrics.open.set({ environment, direction }, 0);
  for (const { environment, direction, count } of open) deps.metrics.open.set({ environment, direction }, count);
}
