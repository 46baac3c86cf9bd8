import type { PaidEvents } from '@pay/contracts';
import { findOutboxEvents } from '@pay/messaging';
import type { Queryable } from '@pay/persistence';
import { findIntents } from '../intents/intent-repository';

/** Intents that are not PAID, or whose event was deleted, have no event. */
export async function findPaidEvents(db: Queryable, intentIds: readonly string[]): Promise<PaidEvents['events']> {
  const intents = await findIntents(db, intentIds);
  const paidAt = intents.flatMap(({ intent }) => (intent.paidAt === null ? [] : [new Date(intent.paidAt).getTime()]));
  if (paidAt.length === 0) return [];
  const since = new Date(Math.min(...paidAt) - CLOCK_SLACK_MS);
  const events = await findOutboxEvents(db, { types: ['intent.paid'], aggregateIds: intentIds, since });
  return events.map(({ eventId, aggregateId }) => ({ eventId, paymentIntentId: aggregateId }));
}

/** `paidAt` is a time of the reconciler; the outbox contains times of the database. */
const CLOCK_SLACK_MS = 5 * 60_000;
