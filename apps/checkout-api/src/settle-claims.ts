import { eventsOf, type EventOf } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import type { ChangeNews } from './change-news';
import { judgeClaims, type Judgement } from './db/claims';

/** Notes what the reconciler has done with claims, so that expiry no longer waits for them. */
export async function settleClaims(
  { news }: { news: Pick<ChangeNews, 'tell'> },
  tx: Transaction,
  events: readonly EventOf[],
): Promise<void> {
  const judgements = new Map<string, Judgement>();
  const settledOf = new Set<string>();
  for (const event of eventsOf(events, 'claim.waiting', 'claim.settled')) {
    const { claimId, paymentIntentId, outcome, smsEventId } = event.data;
    if (judgements.get(claimId)?.state === 'settled') continue;
    const state = event.type === 'claim.settled' ? 'settled' : 'waiting';
    if (state === 'settled') settledOf.add(paymentIntentId);
    judgements.set(claimId, { claimId, state, outcome, smsEventId, judgedAt: event.occurredAt });
  }
  if (judgements.size === 0) return;
  await judgeClaims(tx, [...judgements.values()]);
  tx.onCommit(() => news.tell([...settledOf]));
}
