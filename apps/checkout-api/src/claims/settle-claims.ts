import { eventsOf, type EventOf } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import type { ChangeNotifications } from '../live-status/change-notifications';
import { storeClaimDecisions, type ClaimDecision } from './claim-repository';

/** Stores the decisions of claims, so that expiry no longer waits for them. */
export async function settleClaims(
  { notifications }: { notifications: Pick<ChangeNotifications, 'notify'> },
  tx: Transaction,
  events: readonly EventOf[],
): Promise<void> {
  const decisions = new Map<string, ClaimDecision>();
  const settledOf = new Set<string>();
  for (const event of eventsOf(events, 'claim.waiting', 'claim.settled')) {
    const { claimId, paymentIntentId, outcome, smsEventId, submittedAt = null } = event.data;
    const known = decisions.get(claimId);
    if (known !== undefined && !isNewer(submittedAt, known)) continue;
    const state = event.type === 'claim.settled' ? 'settled' : 'waiting';
    if (state === 'settled') settledOf.add(paymentIntentId);
    decisions.set(claimId, { claimId, state, outcome, smsEventId, decidedAt: event.occurredAt, submittedAt });
  }
  if (decisions.size === 0) return;
  await storeClaimDecisions(tx, [...decisions.values()]);
  tx.onCommit(() => notifications.notify([...settledOf]));
}

/** The decision of a later submission, or a settled decision of the same one. */
function isNewer(submittedAt: string | null, known: ClaimDecision): boolean {
  if (submittedAt === known.submittedAt) return known.state !== 'settled';
  return (
    known.submittedAt === null || (submittedAt !== null && Date.parse(submittedAt) > Date.parse(known.submittedAt))
  );
}
