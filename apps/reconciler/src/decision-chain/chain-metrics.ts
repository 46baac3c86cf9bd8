import type { Queryable } from '@pay/persistence';
import { ageInSeconds, type DatabaseGauges, type Metrics } from '@pay/runtime';
import { oldestUnsealed } from './decision-chain-repository';

export type ChainMetrics = ReturnType<typeof chainMetrics>;

export function chainMetrics(metrics: Metrics) {
  return {
    brokenChains: metrics.gauge('reconciler_broken_chains'),
    chainsVerifiedAt: metrics.gauge('reconciler_chains_verified_timestamp_seconds'),
    allDecisionsVerifiedAt: metrics.gauge('reconciler_all_decisions_verified_timestamp_seconds'),
  };
}

/** Read from the database, because a chain that cannot be sealed must not look sealed. */
export function watchSealing(gauge: DatabaseGauges, db: Queryable, now: () => Date): void {
  gauge('reconciler_decision_seal_lag_seconds', async () => ageInSeconds((await oldestUnsealed(db))?.decidedAt, now()));
}
