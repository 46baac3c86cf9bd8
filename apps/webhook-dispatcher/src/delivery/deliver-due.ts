import type { Environment } from '@pay/contracts';
import type { Limiter } from '@pay/rate-limits';
import type { Worker } from '@pay/runtime';
import { createWakeUp } from './wake-up';
import { claimDue, releaseLeases, type LeasedDelivery } from './delivery-repository';
import { hostOf } from '../domain/endpoint-url';
import { EndpointQueues } from './endpoint-queues';
import { sendDelivery, type SendDeps } from './send-delivery';
import { createPresence } from './show-presence';
import type { ServiceDeps } from '../service-deps';

export interface DeliverSettings {
  readonly slots: number;
  readonly slotsPerEndpoint: number;
  readonly slotsForFirst: number;
  readonly pollMs: number;
}

export interface DeliverDeps extends SendDeps, Pick<ServiceDeps, 'db' | 'log'> {
  readonly workerId: string;
  readonly verifiedEnvironments: readonly Environment[];
  readonly settings: DeliverSettings;
  /** Shared by the unverified endpoints of all merchants. */
  readonly unverifiedHosts: Pick<Limiter, 'take' | 'spent'>;
}

export interface Deliverer {
  readonly queues: EndpointQueues<LeasedDelivery>;
  /** Starts the next claim immediately. */
  readonly poke: () => void;
  /**
   * Releases waiting deliveries of an endpoint whose URL, secret or state has changed, so that they are claimed again
   * with the new values.
   */
  readonly recall: (endpointId: string) => void;
  /** Takes one request from the limit of the host. False: the delivery stays due. */
  readonly admits: (endpoint: { readonly id: string; readonly url: string; readonly isVerified: boolean }) => boolean;
  /** On stop, waits for requests in flight and their results. */
  readonly worker: Worker;
}

/** Only this sends deliveries. No transaction is open during a request. */
export function createDeliverer(deps: DeliverDeps): Deliverer {
  const { db, workerId, settings, log, clock } = deps;
  const wakeUp = createWakeUp();
  const release = async (unsent: readonly LeasedDelivery[]) => {
    try {
      await releaseLeases(db, workerId, unsent);
    } catch (error) {
      // Not released: other processes can claim them when the leases expire.
      log.warn({ err: error, deliveries: unsent.length }, 'delivery.leases_not_released');
    }
  };
  const queues = new EndpointQueues<LeasedDelivery>({
    ...settings,
    clock,
    random: deps.random,
    isSpent: (host) => deps.unverifiedHosts.spent(host) !== undefined,
    send: (delivery) => sendDelivery(deps, delivery),
    release,
    onRoom: wakeUp.wake,
  });
  const enter = createPresence({ db, workerId, log, poke: wakeUp.wake });

  const admits: Deliverer['admits'] = ({ id, url, isVerified }) => {
    if (isVerified) {
      queues.unthrottle(id);
      return true;
    }
    const host = hostOf(url);
    const { allowed, remaining } = deps.unverifiedHosts.take(host);
    if (!allowed) queues.throttle(id, host);
    else if (remaining > 0) queues.unthrottle(id);
    return allowed;
  };

  /** True if more deliveries may be due. */
  const claimAndSend = async (): Promise<boolean> => {
    queues.releaseLate();
    const room = queues.room();
    if (room.total === 0) return false;
    const leasedAt = clock();
    const claimed = await claimDue(db, workerId, room, deps.verifiedEnvironments);
    const isMore = queues.claimed(room, claimed);
    const [admitted, refused] = partition(claimed, ({ endpointId: id, url, isVerified }) =>
      admits({ id, url, isVerified }),
    );
    queues.add(admitted, leasedAt);
    if (refused.length > 0) await release(refused);
    return isMore;
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    const stop = (): void => {
      queues.close();
      wakeUp.wake();
    };
    signal.addEventListener('abort', stop, { once: true });
    const presence = enter();
    while (!signal.aborted) {
      const isMore = await claimAndSend().catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, 'delivery.claim_failed');
        return false;
      });
      if (!isMore) await wakeUp.wait(settings.pollMs);
    }
    await queues.idle();
    // After the last result, because other processes would otherwise send deliveries that are in flight.
    await presence.leave();
  };

  const recall: Deliverer['recall'] = (endpointId) => {
    queues.recall(endpointId);
    wakeUp.wake();
  };

  return { queues, poke: wakeUp.wake, recall, admits, worker: { name: 'deliver-due', run } };
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  const [first, second]: [Item[], Item[]] = [[], []];
  for (const item of items) (isFirst(item) ? first : second).push(item);
  return [first, second];
}
