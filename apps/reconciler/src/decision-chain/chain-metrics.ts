import type { Metrics } from '@pay/runtime';

export type ChainMetrics = ReturnType<typeof chainMetrics>;

export function chainMetrics(metrics: Metrics) {
  return {
    sealLag: metrics.gauge('reconciler_decision_seal_lag_seconds'),
    brokenChains: metrics.gauge('reconciler_broken_chains'),
    chainsVerifiedAt: metrics.gauge('reconciler_chains_verified_timestamp_seconds'),
    allDecisionsVerifiedAt: metrics.gauge('reconciler_all_decisions_verified_timestamp_seconds'),
  };
}
