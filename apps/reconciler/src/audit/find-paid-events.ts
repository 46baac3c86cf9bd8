import { MATCH_TYPES_OF_INTENTS, type PaidEvents } from '@pay/contracts';
import { findOutboxEvents } from '@pay/messaging';
import type { Queryable } from '@pay/persistence';
import { findPayingDecisions } from './audited-payment-repository';

/** `decided_at` is the process's time, the outbox has the database's. */
const CLOCK_SLACK_MS = 5 * 60_000;

/**
 * The events in the outbox of the decisions that made these intents PAID. The aggregate of such an event is its
 * decision.
 */
export async function findPaidEvents(db: Queryable, intentIds: readonly string[]): Promise<PaidEvents['events']> {
  const decisions = await findPayingDecisions(db, intentIds);
  if (decisions.length === 0) return [];
  const since = new Date(Math.min(...decisions.map(({ decidedAt }) => decidedAt.getTime())) - CLOCK_SLACK_MS);
  const intentOf = new Map(decisions.map(({ id, paymentIntentId }) => [id, paymentIntentId]));
  const events = await findOutboxEvents(db, {
    types: MATCH_TYPES_OF_INTENTS,
    aggregateIds: [...intentOf.keys()],
    since,
  });
  return events.flatMap(({ eventId, aggregateId }) => {
    const paymentIntentId = intentOf.get(aggregateId);
    return paymentIntentId === undefined ? [] : [{ eventId, paymentIntentId }];
  });
}
