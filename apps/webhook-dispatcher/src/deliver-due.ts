import type { Environment } from '@pay/contracts';
import type { Database } from '@pay/persistence';
import type { Logger, Worker } from '@pay/runtime';
import { createAlarm } from './alarm';
import { claimDue, handBack, type LeasedDelivery } from './db/deliveries';
import { Lanes } from './lanes';
import { sendDelivery, type SendDeps } from './send-delivery';
import { createPresence } from './show-presence';

export interface DeliverSettings {
  readonly slots: number;
  readonly slotsPerEndpoint: number;
  readonly slotsForFirst: number;
  readonly pollMs: number;
}

export interface DeliverDeps extends SendDeps {
  readonly db: Database;
  readonly workerId: string;
  /** Where endpoints are sent to only after they were verified. */
  readonly verifiedEnvironments: readonly Environment[];
  readonly settings: DeliverSettings;
  readonly log: Logger;
}

export interface Deliverer {
  readonly lanes: Lanes<LeasedDelivery>;
  /** Something is due: look now rather than at the next poll. */
  readonly poke: () => void;
  /** Claims and sends what is due, until stopped; then waits for what is in flight and its results. */
  readonly worker: Worker;
}

/** The only sender of deliveries. No transaction is open while a request is. */
export function createDeliverer(deps: DeliverDeps): Deliverer {
  const { db, workerId, settings, log, clock } = deps;
  const alarm = createAlarm();
  const lanes = new Lanes<LeasedDelivery>({
    ...settings,
    clock,
    send: (delivery) => sendDelivery(deps, delivery),
    handBack: (unsent) =>
      handBack(db, workerId, unsent).catch((error: unknown) => {
        // Their leases run out by themselves.
        log.warn({ err: error, deliveries: unsent.length }, 'delivery.not_handed_back');
      }),
    onRoom: alarm.ring,
  });
  const enter = createPresence({ db, workerId, log, poke: alarm.ring });

  /** True when there may be more than fitted. */
  const claimAndSend = async (): Promise<boolean> => {
    lanes.handBackLate();
    const room = lanes.room();
    if (room.total === 0) return false;
    const leasedAt = clock();
    const claimed = await claimDue(db, workerId, room, deps.verifiedEnvironments);
    lanes.claimed(room, claimed);
    lanes.add(claimed, leasedAt);
    return claimed.length >= room.total;
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    const stop = (): void => {
      lanes.close();
      alarm.ring();
    };
    signal.addEventListener('abort', stop, { once: true });
    const presence = enter();
    while (!signal.aborted) {
      const isMore = await claimAndSend().catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, 'delivery.claim_failed');
        return false;
      });
      if (!isMore) await alarm.wait(settings.pollMs);
    }
    await lanes.idle();
    // Not sooner: others would take what is still in flight.
    await presence.leave();
  };

  return { lanes, poke: alarm.ring, worker: { name: 'deliver-due', run } };
}
