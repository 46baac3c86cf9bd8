import { eventsOf, type EventOf } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { judgeClaims, type Judgement } from './db/claims';

/** Notes what the reconciler has done with claims, so that expiry no longer waits for them. */
export async function settleClaims(tx: Transaction, events: readonly EventOf[]): Promise<void> {
  const judgements = new Map<string, Judgement>();
  for (const event of eventsOf(events, 'claim.waiting', 'claim.settled')) {
    const { claimId, outcome, smsEventId } = event.data;
    if (judgements.get(claimId)?.state === 'settled') continue;
    const state = event.type === 'claim.settled' ? 'settled' : 'waiting';
    judgements.set(claimId, { claimId, state, outcome, smsEventId, judgedAt: event.occurredAt });
  }
  if (judgements.size > 0) await judgeClaims(tx, [...judgements.values()]);
}
