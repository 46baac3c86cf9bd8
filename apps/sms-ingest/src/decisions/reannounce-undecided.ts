import type { Messaging } from '@pay/messaging';
import { announceSms } from '../intake/announce-sms';
import { takeStuckSms } from './stuck-sms-repository';
import type { ServiceDeps } from '../service-deps';

export interface ReannounceUndecidedDeps extends Pick<ServiceDeps, 'db' | 'log' | 'now'> {
  readonly messaging: Pick<Messaging, 'publish'>;
}

/** How long a decision may take. */
const WAIT_MS = 60_000;
const MOST_AT_ONCE = 100;

/**
 * Publishes evidence again that has had no decision for one minute, then after 2, 4, 8 minutes and so on. The decision
 * may have been lost in a failover, and expiry waits for it.
 */
export async function reannounceUndecided(deps: ReannounceUndecidedDeps): Promise<void> {
  const { db, messaging, log, now } = deps;
  const count = await db.transaction(async (tx) => {
    const stuck = await takeStuckSms(tx, WAIT_MS, MOST_AT_ONCE);
    const events = stuck.map(({ sms, sequence }) =>
      announceSms(sms, { ingestedAt: sms.ingestedAt, at: now(), sequence, decisionMissing: true }),
    );
    if (events.length > 0) await messaging.publish(tx, events);
    return events.length;
  });
  if (count > 0) log.warn({ count }, 'sms.reannounced');
}
