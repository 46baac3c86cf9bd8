import { compareSequences, eventsOf, type EventOf } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import type { ChangeNotifications } from '../intent-copies/change-notifications';
import { storeClaimDecisions, type ClaimDecision } from './claim-repository';

export async function settleClaims(
  { notifications }: { notifications: Pick<ChangeNotifications, 'notify'> },
  tx: Transaction,
  events: readonly EventOf[],
): Promise<void> {
  const decisions = new Map<string, ClaimDecision>();
  const changed = new Set<string>();
  for (const event of eventsOf(events, 'claim.waiting', 'claim.settled')) {
    const { occurredAt: decidedAt, epoch = null, sequence } = event;
    const { claimId, paymentIntentId, outcome, smsEventId, submittedAt = null, submissions = null } = event.data;
    const known = decisions.get(claimId);
    const order = known === undefined ? 1 : compareSequences({ epoch, sequence }, known);
    // A decision is published again with the same sequence when its number changes; without one it is never incomplete.
    if (order < 0 || (order === 0 && (submissions ?? Infinity) <= (known?.submissions ?? Infinity))) continue;
    const state = event.type === 'claim.settled' ? 'settled' : 'waiting';
    // An undecided claim is already shown as waiting, so its first decision to wait changes nothing.
    if (state === 'settled' || sequence > 1) changed.add(paymentIntentId);
    decisions.set(claimId, {
      claimId,
      epoch,
      sequence,
      state,
      outcome,
      smsEventId,
      decidedAt,
      submittedAt,
      submissions,
    });
  }
  if (decisions.size === 0) return;
  await storeClaimDecisions(tx, [...decisions.values()]);
  tx.onCommit(() => notifications.notify([...changed]));
}
