import type { ClaimedDelivery, ClaimRoom, LeasedDelivery } from './delivery-repository';
import { LATEST_START_SECONDS } from '../domain/delivery';
import type { PendingSend, Waiting } from './pending-send';

/** Only endpoints with a shorter response time may have deliveries waiting in memory. */
const FAST_MS = 250;
const SLOW_MS = 1_000;
const LONGEST_QUEUE = 128;
/** Includes deliveries in flight, waiting for a slot, and sent but not recorded. */
const LEASED_AT_MOST = 1_000;
const QUEUES_KEPT = 10_000;
/** Of the claims with a single free slot for an endpoint. Random, because a fixed order could skip an endpoint. */
const SHARE_OF_OLDEST = 1 / 8;

type Delivery = Pick<LeasedDelivery, 'id' | 'endpointId' | 'attempt' | 'isFailing'>;

const isReserved = ({ attempt, isFailing }: Delivery): boolean => attempt === 1 && !isFailing;

interface EndpointQueue<Item> {
  readonly endpointId: string;
  inFlight: number;
  waiting: Waiting<Item>[];
  /** Grows by one with each fast success; 0 after a failure or a slow response. */
  mostWaiting: number;
  /** True if the last response was slow. */
  isSlow: boolean;
  /** True if there are due deliveries without a lease. Newer ones must not overtake them. */
  hasBacklog: boolean;
  /** Host whose request limit delays the deliveries of this unverified endpoint. */
  throttledBy?: string | undefined;
}

export interface EndpointQueuesOptions<Item> {
  readonly slots: number;
  readonly slotsPerEndpoint: number;
  /**
   * Reserved for first attempts to endpoints that do not fail. A slow endpoint uses none of them, any other endpoint at
   * most one.
   */
  readonly slotsForFirst: number;
  readonly send: (item: Item) => PendingSend<Item>;
  /** True if the request limit of the host for unverified endpoints is reached. */
  readonly isSpent: (host: string) => boolean;
  /** Releases leases without a request. Never rejects. */
  readonly release: (items: readonly Item[]) => Promise<void>;
  /** Called when a slot becomes free for an endpoint with a backlog. */
  readonly onRoom: () => void;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

export interface PlannedEndpoint {
  readonly id: string;
  readonly isVerified: boolean;
  readonly failingSince: Date | null;
}

/**
 * Limits the slots per endpoint, so that endpoints that hang do not delay others. A fast endpoint has a short queue in
 * memory.
 */
export class EndpointQueues<Item extends Delivery> {
  private readonly queues = new Map<string, EndpointQueue<Item>>();
  /** Queues that wait for a global slot, in order of arrival. */
  private readonly blocked = new Set<EndpointQueue<Item>>();
  private readonly open = new Set<Promise<void>>();
  private inFlightNow = 0;
  private leasedNow = 0;
  private unreservedNow = 0;
  private closed = false;
  /** Leases from before a recall may contain an old URL or secret. */
  private readonly recalledAt = new Map<string, number>();

  constructor(private readonly options: EndpointQueuesOptions<Item>) {}

  get inFlight(): number {
    return this.inFlightNow;
  }

  /**
   * Accepts first attempts while slots and queues are free, without reserving them. A refused endpoint stays refused,
   * so that later events do not overtake.
   */
  plan(): (endpoint: PlannedEndpoint) => boolean {
    const taken = new Map<string, number>();
    const refused = new Set<string>();
    let total = 0;
    let unreserved = 0;
    return ({ id: endpointId, isVerified, failingSince }) => {
      if (isVerified) this.unthrottle(endpointId);
      const mine = taken.get(endpointId) ?? 0;
      const isFull = this.closed || this.leasedNow + total >= LEASED_AT_MOST || mine >= this.roomOf(endpointId);
      const queue = this.queues.get(endpointId);
      const isFailing = failingSince !== null;
      const mustWait =
        queue?.hasBacklog === true ||
        queue?.throttledBy !== undefined ||
        (isFailing && unreserved >= this.unreservedRoom());
      if (isFull || refused.has(endpointId) || mustWait) {
        refused.add(endpointId);
        return false;
      }
      taken.set(endpointId, mine + 1);
      total += 1;
      if (isFailing) unreserved += 1;
      return true;
    };
  }

  /** True if a claim could lease some of them now. Otherwise a free slot triggers the claim. */
  noteBacklog(endpointIds: Iterable<string>): boolean {
    let hasRoom = false;
    for (const endpointId of endpointIds) {
      const queue = this.queueOf(endpointId);
      queue.hasBacklog = true;
      hasRoom ||= queue.throttledBy === undefined && this.roomOf(endpointId) > 0;
    }
    return hasRoom;
  }

  /** Deliveries of the endpoint stay unclaimed until its host has requests left. */
  throttle(endpointId: string, host: string): void {
    const queue = this.queueOf(endpointId);
    queue.throttledBy = host;
    queue.hasBacklog = true;
  }

  unthrottle(endpointId: string): void {
    const queue = this.queues.get(endpointId);
    if (queue !== undefined) queue.throttledBy = undefined;
  }

  room(): ClaimRoom {
    const { slotsPerEndpoint } = this.options;
    const total = this.closed ? 0 : Math.max(0, LEASED_AT_MOST - this.leasedNow);
    const unreserved = this.unreservedRoom();
    return {
      total: Math.min(total, this.options.slots),
      unreserved,
      perEndpoint: slotsPerEndpoint,
      named: new Map(
        [...this.queues.values()]
          .map((queue) => [queue.endpointId, this.roomOf(queue.endpointId), queue.hasBacklog] as const)
          // Only deviations from the default are sent to the database.
          .filter(([, room, hasBacklog]) => (hasBacklog ? room !== slotsPerEndpoint : room < slotsPerEndpoint))
          .map(([endpointId, room]) => [endpointId, room]),
      ),
      unverified: this.roomOfThrottled(),
      // A repeated attempt cannot use a reserved slot.
      isOldestPreferred: unreserved > 0 && this.options.random() >= 1 - SHARE_OF_OLDEST,
    };
  }

  /** One delivery per host. Endpoints of a host alternate, so that none waits for the backlog of another. */
  private roomOfThrottled(): Map<string, number> {
    const served = new Set<string>();
    const rooms = new Map<string, number>();
    const throttled = [...this.queues.values()].filter((queue) => queue.throttledBy !== undefined);
    for (const queue of throttled) {
      const host = queue.throttledBy ?? '';
      const mayTry = !served.has(host) && !this.options.isSpent(host);
      rooms.set(queue.endpointId, mayTry ? 1 : 0);
      if (!mayTry) continue;
      served.add(host);
      this.queues.delete(queue.endpointId);
      this.queues.set(queue.endpointId, queue);
    }
    return rooms;
  }

  /**
   * An endpoint with fewer claimed deliveries than room has no backlog, unless the claim reached a limit; if only
   * unreserved slots were used up, this is certain for drained endpoints. Returns true if another claim can lease more.
   */
  claimed(room: ClaimRoom, claimed: readonly (Item & Pick<ClaimedDelivery, 'isDrained'>)[]): boolean {
    const counts = new Map<string, number>();
    for (const { endpointId } of claimed) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
    const roomOf = (endpointId: string): number =>
      Math.min(room.named.get(endpointId) ?? room.perEndpoint, room.unverified.get(endpointId) ?? Infinity);
    const gotAll = (endpointId: string): boolean => (counts.get(endpointId) ?? 0) >= roomOf(endpointId);
    this.noteBacklog([...counts.keys()].filter(gotAll));
    if (claimed.length >= room.total) return true;
    const isLimited = claimed.filter((each) => !isReserved(each)).length >= room.unreserved;
    const drained = new Set(claimed.filter(({ isDrained }) => isDrained).map(({ endpointId }) => endpointId));
    for (const queue of this.queues.values()) {
      if (gotAll(queue.endpointId) || (isLimited && !drained.has(queue.endpointId))) continue;
      queue.hasBacklog = false;
      queue.throttledBy = undefined;
    }
    // Endpoints whose oldest delivery found no slot may have first attempts for reserved ones.
    return isLimited && room.isOldestPreferred;
  }

  /** `place` is the position among the waiting deliveries of the endpoint. */
  add(items: readonly Item[], leasedAt: number, place: 'first' | 'last' = 'last'): void {
    if (this.closed) {
      this.track(this.options.release(items));
      return;
    }
    const outdated = items.filter(({ endpointId }) => this.wasRecalled(endpointId, leasedAt));
    if (outdated.length > 0) this.track(this.options.release(outdated));
    for (const item of items) {
      if (outdated.includes(item)) continue;
      const queue = this.queueOf(item.endpointId);
      this.leasedNow += 1;
      if (!isReserved(item)) this.unreservedNow += 1;
      if (place === 'last') queue.waiting.push({ item, leasedAt });
      else queue.waiting.unshift({ item, leasedAt });
      this.pump(queue);
    }
    if (this.queues.size > QUEUES_KEPT) this.forgetIdle();
  }

  /** Releases deliveries that waited so long that their request could outlive the lease. */
  releaseLate(): void {
    const late = [...this.queues.values()].flatMap((queue) => this.takeWaiting(queue, (each) => this.isLate(each)));
    if (late.length > 0) this.track(this.options.release(late));
  }

  /** Releases unsent deliveries that were leased before the change of their endpoint. */
  recall(endpointId: string): void {
    const now = this.options.clock();
    for (const [id, at] of this.recalledAt) if (now - at > LATEST_START_SECONDS * 1_000) this.recalledAt.delete(id);
    this.recalledAt.set(endpointId, now);
    const queue = this.queues.get(endpointId);
    const unsent = queue === undefined ? [] : this.takeWaiting(queue, () => true);
    if (unsent.length > 0) this.track(this.options.release(unsent));
  }

  /** Stops leasing and releases waiting deliveries. Requests in flight complete. */
  close(): void {
    this.closed = true;
    const unsent = [...this.queues.values()].flatMap((queue) => this.takeWaiting(queue, () => true));
    if (unsent.length > 0) this.track(this.options.release(unsent));
  }

  /** Resolves when no request is in flight and all results are recorded. */
  async idle(): Promise<void> {
    while (this.open.size > 0) await Promise.all(this.open);
  }

  private queueOf(endpointId: string): EndpointQueue<Item> {
    let queue = this.queues.get(endpointId);
    if (queue === undefined) {
      queue = { endpointId, inFlight: 0, waiting: [], mostWaiting: 0, isSlow: false, hasBacklog: false };
      this.queues.set(endpointId, queue);
    }
    return queue;
  }

  private unreservedRoom(): number {
    return Math.max(0, this.options.slots - this.options.slotsForFirst - this.unreservedNow);
  }

  private roomOf(endpointId: string): number {
    const { slotsPerEndpoint } = this.options;
    const queue = this.queues.get(endpointId);
    if (queue === undefined) return slotsPerEndpoint;
    return Math.max(0, slotsPerEndpoint + queue.mostWaiting - queue.inFlight - queue.waiting.length);
  }

  /** Ignores past responses, because many fast endpoints may begin to hang at the same time. */
  private hasSlotFor({ inFlight, isSlow }: EndpointQueue<Item>, item: Item): boolean {
    const { slots, slotsForFirst } = this.options;
    const mayUseReserved = inFlight === 0 && !isSlow && isReserved(item);
    return this.inFlightNow < (mayUseReserved ? slots : slots - slotsForFirst);
  }

  private pump(queue: EndpointQueue<Item>): void {
    for (;;) {
      const [next] = queue.waiting;
      if (next === undefined || queue.inFlight >= this.options.slotsPerEndpoint) break;
      if (!this.hasSlotFor(queue, next.item)) {
        this.blocked.add(queue);
        return;
      }
      // To the end of the line, so that endpoints alternate.
      this.blocked.delete(queue);
      queue.waiting.shift();
      if (this.isLate(next)) {
        this.leave(next.item);
        this.track(this.options.release([next.item]));
      } else {
        this.start(queue, next.item);
      }
    }
    this.blocked.delete(queue);
  }

  private start(queue: EndpointQueue<Item>, item: Item): void {
    queue.inFlight += 1;
    this.inFlightNow += 1;
    const startedAt = this.options.clock();
    const { answered, recorded } = this.options.send(item);
    this.track(answered.then((answer) => this.answered(queue, answer)));
    this.track(
      recorded.then((again) => {
        this.leave(item);
        if (again !== undefined) {
          // The delivery is a copy from before the first request, so its endpoint may have changed.
          const isOutdated = this.wasRecalled(queue.endpointId, startedAt);
          this.add([again.item], isOutdated ? startedAt : again.leasedAt, 'first');
        }
        if (queue.hasBacklog && this.roomOf(queue.endpointId) * 2 >= this.options.slotsPerEndpoint)
          this.options.onRoom();
      }),
    );
  }

  private answered(queue: EndpointQueue<Item>, { ok, ms }: { ok: boolean; ms: number }): void {
    queue.inFlight -= 1;
    this.inFlightNow -= 1;
    queue.isSlow = ms > SLOW_MS;
    if (!ok || queue.isSlow) queue.mostWaiting = 0;
    else if (ms <= FAST_MS) queue.mostWaiting = Math.min(queue.mostWaiting + 1, LONGEST_QUEUE);
    for (const other of [...this.blocked]) {
      if (this.inFlightNow >= this.options.slots) break;
      this.pump(other);
    }
    this.pump(queue);
  }

  private wasRecalled(endpointId: string, leasedAt: number): boolean {
    return leasedAt <= (this.recalledAt.get(endpointId) ?? -Infinity);
  }

  private isLate({ leasedAt }: Waiting<Item>): boolean {
    return this.options.clock() - leasedAt > LATEST_START_SECONDS * 1_000;
  }

  private takeWaiting(queue: EndpointQueue<Item>, isTaken: (each: Waiting<Item>) => boolean): Item[] {
    const taken = queue.waiting.filter(isTaken).map(({ item }) => item);
    if (taken.length === 0) return [];
    queue.waiting = queue.waiting.filter((each) => !isTaken(each));
    for (const item of taken) this.leave(item);
    queue.hasBacklog = true;
    return taken;
  }

  private leave(item: Item): void {
    this.leasedNow -= 1;
    if (!isReserved(item)) this.unreservedNow -= 1;
  }

  private track(work: Promise<void>): void {
    const tracked = work.finally(() => this.open.delete(tracked));
    this.open.add(tracked);
  }

  private forgetIdle(): void {
    for (const [endpointId, queue] of this.queues) {
      if (queue.inFlight === 0 && queue.waiting.length === 0 && !queue.hasBacklog) this.queues.delete(endpointId);
    }
  }
}
