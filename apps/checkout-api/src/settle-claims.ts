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
    const { claimId, paymentIntentId, outcome, smsEventId, submittedAt = null } = event.data;
    const known = judgements.get(claimId);
    if (known !== undefined && !isNewer(submittedAt, known)) continue;
    const state = event.type === 'claim.settled' ? 'settled' : 'waiting';
    if (state === 'settled') settledOf.add(paymentIntentId);
    judgements.set(claimId, { claimId, state, outcome, smsEventId, judgedAt: event.occurredAt, submittedAt });
  }
  if (judgements.size === 0) return;
  await judgeClaims(tx, [...judgements.values()]);
  tx.onCommit(() => news.tell([...settledOf]));
}

/** About a later submission; about the same one, whatever follows a claim that waits. */
function isNewer(submittedAt: string | null, known: Judgement): boolean {
  if (submittedAt === known.submittedAt) return known.state !== 'settled';
  return (
    known.submittedAt === null || (submittedAt !== null && Date.parse(submittedAt) > Date.parse(known.submittedAt))
  );
}
