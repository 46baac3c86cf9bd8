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
    const { claimId, paymentIntentId, outcome, smsEventId, submittedAt = null } = event.data;
    const known = decisions.get(claimId);
    if (known !== undefined && compareSequences({ epoch, sequence }, known) <= 0) continue;
    const state = event.type === 'claim.settled' ? 'settled' : 'waiting';
    // An undecided claim is already shown as waiting, so its first decision to wait changes nothing.
    if (state === 'settled' || sequence > 1) changed.add(paymentIntentId);
    decisions.set(claimId, { claimId, epoch, sequence, state, outcome, smsEventId, decidedAt, submittedAt });
  }
  if (decisions.size === 0) return;
  await storeClaimDecisions(tx, [...decisions.values()]);
  tx.onCommit(() => notifications.notify([...changed]));
}
