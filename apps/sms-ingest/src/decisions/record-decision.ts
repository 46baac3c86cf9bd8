import { eventsOf, MATCH_TYPES, type EventOf } from '@pay/contracts';
import type { Messaging } from '@pay/messaging';
import type { Transaction } from '@pay/persistence';
import { applyDecisions } from './sms-decision-repository';
import { newestDecisions } from '../domain/newest-decisions';
import type { SmsMetrics } from '../intake/sms-metrics';

export interface RecordDecisionDeps {
  readonly metrics: SmsMetrics;
  readonly messaging: Pick<Messaging, 'reportConflict'>;
  readonly now: () => Date;
}

/** Stores decisions of the reconciler about SMS. The newest decision counts, in any order of arrival. */
export function recordDecision(
  { metrics, messaging, now }: RecordDecisionDeps,
  tx: Transaction,
  events: readonly EventOf[],
): void {
  const decisions = newestDecisions(eventsOf(events, ...MATCH_TYPES));
  if (decisions.length === 0) return;
  applyDecisions(tx, decisions, now(), messaging.reportConflict);
  tx.onCommit(() => {
    for (const { status } of decisions) metrics.decided.inc({ status });
  });
}
