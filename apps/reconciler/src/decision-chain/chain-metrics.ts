import type { Queryable } from '@pay/persistence';
import { ageInSeconds, type DatabaseGauges, type Metrics } from '@pay/runtime';
import { oldestUnsealed } from './decision-chain-repository';
import { findPass } from './verification-pass-repository';

export type ChainMetrics = ReturnType<typeof chainMetrics>;

export function chainMetrics(metrics: Metrics) {
  return {
    brokenChains: metrics.gauge('reconciler_broken_chains'),
    chainsVerifiedAt: metrics.gauge('reconciler_chains_verified_timestamp_seconds'),
  };
}

/** The same in every replica. */
export function watchDecisions(gauge: DatabaseGauges, db: Queryable, now: () => Date): void {
  gauge('reconciler_decision_seal_lag_seconds', async () => ageInSeconds((await oldestUnsealed(db))?.decidedAt, now()));
  gauge('reconciler_all_decisions_verified_timestamp_seconds', async () => {
    const pass = await findPass(db);
    return pass === undefined ? 0 : pass.verifiedSince.getTime() / 1_000;
  });
}
