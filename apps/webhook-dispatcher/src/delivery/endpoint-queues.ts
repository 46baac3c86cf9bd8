import type { ClaimRoom, LeasedDelivery } from './delivery-repository';
import { LATEST_START_SECONDS } from '../domain/delivery';
import type { PendingSend, Waiting } from './pending-send';

/** An endpoint that answers this fast may have a few deliveries waiting in memory for its slots. */
const FAST_MS = 250;
const SLOW_MS = 1_000;
const LONGEST_QUEUE = 128;
/** Leased at once by this process: in flight, waiting for a slot, or sent and not yet recorded. */
const LEASED_AT_MOST = 1_000;
const QUEUES_KEPT = 10_000;

type Delivery = Pick<LeasedDelivery, 'id' | 'endpointId' | 'attempt'>;

interface EndpointQueue<Item> {
  readonly endpointId: string;
  inFlight: number;
  waiting: Waiting<Item>[];
  /**
   * How many may wait. Grows by one with each fast success, so doubles per round; nothing after a failure or a slow
   * answer.
   */
  mostWaiting: number;
  /** It has due deliveries that this process has no lease for: newer ones must not overtake them. */
  hasBacklog: boolean;
  /** The endpoint is not verified, and its deliveries wait for the request rate of this host. */
  throttledBy?: string | undefined;
}

export interface EndpointQueuesOptions<Item> {
  readonly slots: number;
  readonly slotsPerEndpoint: number;
  /** Slots that repeated attempts may never take. */
  readonly slotsForFirst: number;
  readonly send: (item: Item) => PendingSend<Item>;
  /** Whether no request to this host is left for unverified endpoints at the moment. */
  readonly isSpent: (host: string) => boolean;
  /** Leases for which no request will be made. Never rejects. */
  readonly handBack: (items: readonly Item[]) => Promise<void>;
  /** Room came free that a known backlog could use. */
  readonly onRoom: () => void;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/**
 * Who of the leased deliveries may be on the wire now. One endpoint holds at most its own slots, however many
 * deliveries it has, so one that hangs costs the others nothing; a fast one is kept busy by a short queue in memory.
 */
export class EndpointQueues<Item extends Delivery> {
  private readonly queues = new Map<string, EndpointQueue<Item>>();
  /** Lanes that have something to send and found no global slot, in the order they came. */
  private readonly blocked = new Set<EndpointQueue<Item>>();
  private readonly open = new Set<Promise<void>>();
  private inFlightNow = 0;
  private leasedNow = 0;
  private retriesNow = 0;
  private closed = false;
  /** When endpoints were recalled last: a lease from before may hold the URL or the secret of before. */
  private readonly recalledAt = new Map<string, number>();

  constructor(private readonly options: EndpointQueuesOptions<Item>) {}

  get inFlight(): number {
    return this.inFlightNow;
  }

  /**
   * For a plan: takes room for one first attempt after the other until there is none. Nothing is reserved; what is
   * added beyond the room waits its turn. An endpoint that was refused once stays refused, so that its later events do
   * not overtake.
   */
  plan(): (endpoint: { readonly id: string; readonly isVerified: boolean }) => boolean {
    const taken = new Map<string, number>();
    const refused = new Set<string>();
    let total = 0;
    return ({ id: endpointId, isVerified }) => {
      if (isVerified) this.unthrottle(endpointId);
      const mine = taken.get(endpointId) ?? 0;
      const isFull = this.closed || this.leasedNow + total >= LEASED_AT_MOST || mine >= this.roomOf(endpointId);
      const queue = this.queues.get(endpointId);
      const mustWait = queue?.hasBacklog === true || queue?.throttledBy !== undefined;
      if (isFull || refused.has(endpointId) || mustWait) {
        refused.add(endpointId);
        return false;
      }
      taken.set(endpointId, mine + 1);
      total += 1;
      return true;
    };
  }

  /**
   * Deliveries of these endpoints have become due without a lease. True when a claim would find room for some of them:
   * whose slots are all taken rings as they come free.
   */
  noteBacklog(endpointIds: Iterable<string>): boolean {
    let hasRoom = false;
    for (const endpointId of endpointIds) {
      const queue = this.queueOf(endpointId);
      queue.hasBacklog = true;
      hasRoom ||= queue.throttledBy === undefined && this.roomOf(endpointId) > 0;
    }
    return hasRoom;
  }

  /** An unverified endpoint was refused a request to its host: until one is left, its deliveries stay unclaimed. */
  throttle(endpointId: string, host: string): void {
    const queue = this.queueOf(endpointId);
    queue.throttledBy = host;
    queue.hasBacklog = true;
  }

  /** The endpoint is verified, or its host has requests left. */
  unthrottle(endpointId: string): void {
    const queue = this.queues.get(endpointId);
    if (queue !== undefined) queue.throttledBy = undefined;
  }

  /** For a claim. */
  room(): ClaimRoom {
    const { slotsPerEndpoint } = this.options;
    const total = this.closed ? 0 : Math.max(0, LEASED_AT_MOST - this.leasedNow);
    return {
      total: Math.min(total, this.options.slots),
      retries: Math.max(0, this.options.slots - this.options.slotsForFirst - this.retriesNow),
      perEndpoint: slotsPerEndpoint,
      named: new Map(
        [...this.queues.values()]
          .map((queue) => [queue.endpointId, this.roomOf(queue.endpointId), queue.hasBacklog] as const)
          // Only endpoints that differ from the default are sent to the database.
          .filter(([, room, hasBacklog]) => (hasBacklog ? room !== slotsPerEndpoint : room < slotsPerEndpoint))
          .map(([endpointId, room]) => [endpointId, room]),
      ),
      unverified: this.roomOfThrottled(),
    };
  }

  /**
   * One delivery of one endpoint per host; the endpoints of a host take turns, so that none of them waits for the
   * others' backlog.
   */
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
   * A claim was made with `room` and brought `claimed`: an endpoint that got all it had room for may have more, one
   * that got less has none left, unless the claim was cut short as a whole.
   */
  claimed(room: ClaimRoom, claimed: readonly Item[]): void {
    const counts = new Map<string, number>();
    for (const { endpointId } of claimed) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
    const roomOf = (endpointId: string): number =>
      Math.min(room.named.get(endpointId) ?? room.perEndpoint, room.unverified.get(endpointId) ?? Infinity);
    const gotAll = (endpointId: string): boolean => (counts.get(endpointId) ?? 0) >= roomOf(endpointId);
    this.noteBacklog([...counts.keys()].filter(gotAll));
    const retries = claimed.filter(({ attempt }) => attempt > 1).length;
    if (claimed.length >= room.total || retries >= room.retries) return;
    for (const queue of this.queues.values()) {
      if (gotAll(queue.endpointId)) continue;
      queue.hasBacklog = false;
      queue.throttledBy = undefined;
    }
  }

  /** Sends as soon as there is a slot: after what waits for the same endpoint, or before it. */
  add(items: readonly Item[], leasedAt: number, place: 'first' | 'last' = 'last'): void {
    if (this.closed) {
      this.track(this.options.handBack(items));
      return;
    }
    const outdated = items.filter(({ endpointId }) => this.wasRecalled(endpointId, leasedAt));
    if (outdated.length > 0) this.track(this.options.handBack(outdated));
    for (const item of items) {
      if (outdated.includes(item)) continue;
      const queue = this.queueOf(item.endpointId);
      this.leasedNow += 1;
      if (item.attempt > 1) this.retriesNow += 1;
      if (place === 'last') queue.waiting.push({ item, leasedAt });
      else queue.waiting.unshift({ item, leasedAt });
      this.pump(queue);
    }
    if (this.queues.size > QUEUES_KEPT) this.forgetIdle();
  }

  /** Hands back what has waited so long that its request could outlive its lease. */
  handBackLate(): void {
    const late = [...this.queues.values()].flatMap((queue) => this.takeWaiting(queue, (each) => this.isLate(each)));
    if (late.length > 0) this.track(this.options.handBack(late));
  }

  /**
   * Hands back the deliveries of an endpoint that are not on the wire yet: its URL, secret or state has changed since
   * they were leased.
   */
  recall(endpointId: string): void {
    const now = this.options.clock();
    for (const [id, at] of this.recalledAt) if (now - at > LATEST_START_SECONDS * 1_000) this.recalledAt.delete(id);
    this.recalledAt.set(endpointId, now);
    const queue = this.queues.get(endpointId);
    const unsent = queue === undefined ? [] : this.takeWaiting(queue, () => true);
    if (unsent.length > 0) this.track(this.options.handBack(unsent));
  }

  /** No new leases; what waits is handed back, what is in flight ends by itself. */
  close(): void {
    this.closed = true;
    const unsent = [...this.queues.values()].flatMap((queue) => this.takeWaiting(queue, () => true));
    if (unsent.length > 0) this.track(this.options.handBack(unsent));
  }

  /** Resolves when nothing is in flight and everything is recorded. */
  async idle(): Promise<void> {
    while (this.open.size > 0) await Promise.all(this.open);
  }

  private queueOf(endpointId: string): EndpointQueue<Item> {
    let queue = this.queues.get(endpointId);
    if (queue === undefined) {
      queue = { endpointId, inFlight: 0, waiting: [], mostWaiting: 0, hasBacklog: false };
      this.queues.set(endpointId, queue);
    }
    return queue;
  }

  private roomOf(endpointId: string): number {
    const { slotsPerEndpoint } = this.options;
    const queue = this.queues.get(endpointId);
    if (queue === undefined) return slotsPerEndpoint;
    return Math.max(0, slotsPerEndpoint + queue.mostWaiting - queue.inFlight - queue.waiting.length);
  }

  private pump(queue: EndpointQueue<Item>): void {
    this.blocked.delete(queue);
    while (queue.waiting.length > 0 && queue.inFlight < this.options.slotsPerEndpoint) {
      if (this.inFlightNow >= this.options.slots) {
        this.blocked.add(queue);
        return;
      }
      const next = queue.waiting.shift();
      if (next === undefined) return;
      if (this.isLate(next)) {
        this.leave(next.item);
        this.track(this.options.handBack([next.item]));
      } else {
        this.start(queue, next.item);
      }
    }
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
          // The item to send again is a copy of what was leased before the first request.
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
    if (!ok || ms > SLOW_MS) queue.mostWaiting = 0;
    else if (ms <= FAST_MS) queue.mostWaiting = Math.min(queue.mostWaiting + 1, LONGEST_QUEUE);
    for (const other of this.blocked) {
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
    if (item.attempt > 1) this.retriesNow -= 1;
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
