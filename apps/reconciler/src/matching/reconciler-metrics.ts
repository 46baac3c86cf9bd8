import { MATCH_REASONS } from '@pay/contracts';
import type { Claim } from '../domain/facts';
import type { MatchDecision } from '../domain/matching-session';
import type { Metrics } from '@pay/runtime';

export type ReconcilerMetrics = ReturnType<typeof reconcilerMetrics>;

export function reconcilerMetrics(metrics: Metrics) {
  return {
    decisions: metrics.counter('reconciler_decisions_total'),
    claims: metrics.counter('reconciler_claims_total'),
    decisionSeconds: metrics.histogram('reconciler_decision_seconds'),
    expired: metrics.counter('reconciler_intents_expired_total'),
    expiryWaits: metrics.counter('reconciler_expiry_waits_total'),
    expiryLag: metrics.gauge('reconciler_expiry_lag_seconds'),
    switchOffWaits: metrics.counter('reconciler_switch_off_waits_total'),
  };
}

const REASONS: ReadonlySet<string> = new Set(MATCH_REASONS);

/** Parser reasons of unparsed texts come from another service and are counted as one reason. */
export function countDecision(metrics: ReconcilerMetrics, decision: MatchDecision, now: Date): void {
  const { environment } = decision.tenant;
  const reason = REASONS.has(decision.reason) ? decision.reason : 'unparsed';
  metrics.decisions.inc({ environment, status: decision.status, path: decision.path ?? 'NONE', reason });
  // First decisions only: the wait of an SMS for its intent is not our latency.
  if (decision.ingestedAt !== undefined && decision.sms?.sequence === 1) {
    metrics.decisionSeconds.observe(
      { environment },
      Math.max(0, now.getTime() - decision.ingestedAt.getTime()) / 1_000,
    );
  }
}

export function countClaim(metrics: ReconcilerMetrics, { tenant, outcome }: Claim): void {
  metrics.claims.inc({ environment: tenant.environment, outcome });
}
