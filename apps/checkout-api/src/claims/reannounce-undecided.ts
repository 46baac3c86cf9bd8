import type { Messaging } from '@pay/messaging';
import { takeStuckClaims } from './stuck-claim-repository';
import { submittedEvent } from './submit-claims';
import type { ServiceDeps } from '../service-deps';

export interface ReannounceUndecidedDeps extends Pick<ServiceDeps, 'db' | 'log'> {
  readonly messaging: Pick<Messaging, 'publish'>;
}

/** Maximum expected duration of a decision. */
const WAIT_MS = 60_000;
const MOST_AT_ONCE = 100;

/** Repeats after 1, 2, 4, 8 minutes and so on. A failover may have lost the decision, and expiry waits for it. */
export async function reannounceUndecided(deps: ReannounceUndecidedDeps): Promise<void> {
  const { db, messaging, log } = deps;
  const count = await db.transaction(async (tx) => {
    const claims = await takeStuckClaims(tx, WAIT_MS, MOST_AT_ONCE);
    if (claims.length > 0)
      await messaging.publish(
        tx,
        claims.map((claim) => submittedEvent(claim, { decisionMissing: true })),
      );
    return new Set(claims.map(({ id }) => id)).size;
  });
  if (count > 0) log.warn({ count }, 'claims.reannounced');
}
