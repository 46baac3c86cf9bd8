import { eventsOf, MATCH_TYPES, type EventOf } from '@pay/contracts';
import type { Messaging } from '@pay/messaging';
import type { Transaction } from '@pay/persistence';
import { applyDecisions } from './sms-decision-repository';
import { newestDecisions } from '../domain/newest-decisions';
import type { SmsMetrics } from '../intake/sms-metrics';

/**
 * Writes what the reconciler decided about SMS; of several decisions about one, the newest counts, whatever the order
 * they come in.
 */
export function recordDecision(
  { metrics, messaging }: { readonly metrics: SmsMetrics; readonly messaging: Pick<Messaging, 'reportConflict'> },
  tx: Transaction,
  events: readonly EventOf[],
): void {
  const decisions = newestDecisions(eventsOf(events, ...MATCH_TYPES));
  if (decisions.length === 0) return;
  applyDecisions(tx, decisions, messaging.reportConflict);
  tx.onCommit(() => {
    for (const { status } of decisions) metrics.decided.inc({ status });
  });
}
