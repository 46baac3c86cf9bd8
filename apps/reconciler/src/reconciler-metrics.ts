import type { Claim } from './domain/facts';
import { MATCH_REASONS } from './domain/reasons';
import type { MatchRuling } from './domain/court';
import type { Counter, Gauge, Histogram, Metrics } from '@pay/runtime';

export interface ReconcilerMetrics {
  readonly decisions: Counter<'environment' | 'status' | 'path' | 'reason'>;
  readonly claims: Counter<'environment' | 'outcome'>;
  readonly decisionSeconds: Histogram<'environment'>;
  readonly expired: Counter<'environment'>;
  readonly expiryWaits: Counter<'cause'>;
  readonly expiryLag: Gauge;
  readonly switchOffWaits: Counter;
  readonly sealLag: Gauge;
}

export function reconcilerMetrics(metrics: Metrics): ReconcilerMetrics {
  return {
    decisions: metrics.counter({
      name: 'reconciler_decisions_total',
      help: 'Decisions about SMS and intents, by what came of them.',
      labels: ['environment', 'status', 'path', 'reason'],
    }),
    claims: metrics.counter({
      name: 'reconciler_claims_total',
      help: 'Judgements of TrxID claims.',
      labels: ['environment', 'outcome'],
    }),
    decisionSeconds: metrics.histogram({
      name: 'reconciler_decision_seconds',
      help: 'From taking an SMS in to the committed decision about it.',
      labels: ['environment'],
      buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300],
    }),
    expired: metrics.counter({
      name: 'reconciler_intents_expired_total',
      help: 'Intents that the reconciler has expired.',
      labels: ['environment'],
    }),
    expiryWaits: metrics.counter({
      name: 'reconciler_expiry_waits_total',
      help: 'Rounds of the expiry worker that waited, by cause: an owner of intake that did not answer, or something undecided.',
      labels: ['cause'],
    }),
    expiryLag: metrics.gauge({
      name: 'reconciler_expiry_lag_seconds',
      help: 'How long the oldest intent that is due has been waiting for its expiry.',
    }),
    switchOffWaits: metrics.counter({
      name: 'reconciler_switch_off_waits_total',
      help: 'Pages of pending intents that were not failed after a switch-off, because dashboard-api did not confirm it.',
    }),
    sealLag: metrics.gauge({
      name: 'reconciler_decision_seal_lag_seconds',
      help: 'How long the oldest decision of the last round had waited for its place in the chain of its tenant.',
    }),
  };
}

const REASONS: ReadonlySet<string> = new Set(MATCH_REASONS);

/** Why a text was not understood is the parser's word, from another service: it counts as one reason. */
export function countDecision(metrics: ReconcilerMetrics, ruling: MatchRuling, now: Date): void {
  const { environment } = ruling.tenant;
  const reason = REASONS.has(ruling.reason) ? ruling.reason : 'unparsed';
  metrics.decisions.inc({ environment, status: ruling.status, path: ruling.path ?? 'NONE', reason });
  // First decisions only: an SMS that waited for its intent says nothing about our speed.
  if (ruling.ingestedAt !== undefined && ruling.sms?.sequence === 1) {
    metrics.decisionSeconds.observe({ environment }, Math.max(0, now.getTime() - ruling.ingestedAt.getTime()) / 1_000);
  }
}

export function countClaim(metrics: ReconcilerMetrics, { tenant, outcome }: Claim): void {
  metrics.claims.inc({ environment: tenant.environment, outcome });
}
