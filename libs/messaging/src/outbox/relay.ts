import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@pay/persistence';
import { every, failpoint, type Logger, type Worker } from '@pay/runtime';
import type { EventSender } from '../broker/event-sender';
import { bodyOf, HEADERS } from '../broker/message-format';
import type { Outcome, Publisher } from '../broker/publisher';
import { queuesReceiving } from '../broker/topology';
import type { MessagingMetrics } from '../metrics';
import type { Timings } from '../timings';
import { takeBundle, type Bundle } from './bundle';
import { Marker } from './marker';
import { claimStale, type OutboxEntry } from './outbox';
import type { Replayer } from './replay';
import { sweepOldRows } from './retention';

/**
 * Maximum unconfirmed messages per queue. RabbitMQ stops reading a connection when a channel has 32 messages for a
 * quorum queue that does not respond; the rest is for probes.
 */
const MOST_UNCONFIRMED = 20;
const MOST_IN_MEMORY = 10_000;
/** Maximum number of delayed events per destination whose queues do not confirm fast enough. */
const MOST_HELD_BACK = 3_000;
/** The sweeper pauses while memory contains more events than this. */
const ENOUGH_IN_MEMORY = 500;
const MOST_BYTES_IN_MEMORY = 32 * 1024 * 1024;
const SWEEP_BATCH = 500;
/** Maximum wait for the events of a dead process, however busy this process is. */
const LONGEST_WITHOUT_SWEEP_MS = 5_000;
const DRAIN_TIMEOUT_MS = 10_000;
const DRAIN_POLL_MS = 5;

export interface RelayDeps {
  /** Called when an event of this type was returned because no queue is bound. */
  readonly onReturned?: (type: string) => void;
  readonly db: Database;
  readonly publisher: Publisher;
  readonly replayer: Replayer;
  readonly sender: EventSender;
  readonly consumers: readonly string[];
  readonly checkEpoch: () => Promise<void>;
  readonly mostInBundle: number;
  readonly timings: Timings;
  readonly log: Logger;
  readonly metrics: Pick<MessagingMetrics, 'published' | 'relayMemory'>;
}

/**
 * Publishes the outbox: events are sent from memory in commit order right after COMMIT, and the sweeper publishes rows
 * that were missed because a process died or memory was full. Events are marked after the broker's confirm, so delivery
 * is at least once.
 */
export class Relay {
  private queue: OutboxEntry[] = [];
  /**
   * Key: the destination. These events wait because one of its queues has the maximum number of unconfirmed messages.
   */
  private readonly heldBack = new Map<string, OutboxEntry[]>();
  private lost: Bundle[] = [];
  /** Id and size of events that are queued, sent, or confirmed but not marked. This process's sweeper skips them. */
  private readonly held = new Map<string, number>();
  /** Events that were marked while the sweeper's claim was running; the claim may have read them unmarked. */
  private markedMeanwhile: Set<string> | undefined;
  private bytes = 0;
  private readonly unconfirmed = new Map<string, number>();
  private readonly lastConfirmed = new Map<string, string>();
  private readonly marker: Marker;
  private sweepNow: (() => void) | undefined;
  private lastSweep = 0;

  constructor(private readonly deps: RelayDeps) {
    this.marker = new Marker({ ...deps, settled: (ids) => this.forget(ids) });
    deps.publisher.on('writable', () => {
      this.pump();
      this.sweepNow?.();
    });
  }

  /** Accepts committed events and returns their number. When memory is full they stay in their rows. */
  offer(entries: readonly OutboxEntry[]): number {
    let taken = 0;
    for (const entry of entries) {
      if (this.held.has(entry.id)) continue;
      if (this.held.size >= MOST_IN_MEMORY || this.bytes >= MOST_BYTES_IN_MEMORY) break;
      if ((this.heldBack.get(addressOf(entry))?.length ?? 0) >= MOST_HELD_BACK) continue;
      taken += 1;
      this.held.set(entry.id, entry.body.length);
      this.bytes += entry.body.length;
      this.queue.push(entry);
    }
    this.deps.metrics.relayMemory.set(this.held.size);
    this.pump();
    return taken;
  }

  get latest(): ReadonlyMap<string, string> {
    return this.lastConfirmed;
  }

  /** Whether events to this queue wait because it has the maximum number of unconfirmed messages. */
  isBusy(queue: string): boolean {
    return (
      this.queue.length > 0 || [...this.heldBack.values()].some(([first]) => first && queuesOf(first).includes(queue))
    );
  }

  /** `beside` contains periodic messaging tasks that run in the same worker. */
  worker(beside: readonly Worker[] = []): Worker {
    const { db, timings, log, replayer, consumers } = this.deps;
    return {
      name: 'relay',
      run: async (signal) => {
        const chores = [
          ...beside,
          every('outbox-replays', timings.replayEveryMs, (stop) => replayer.runDue(stop), { log }),
          every('publisher-epoch', timings.epochEveryMs, this.deps.checkEpoch, { log }),
          every('messaging-retention', timings.cleanEveryMs, (stop) => sweepOldRows(db, consumers, stop), { log }),
        ];
        await Promise.all([this.sweep(signal), ...chores.map((chore) => chore.run(signal))]);
        await this.drain();
      },
    };
  }

  /** Waits until all events in memory are published and marked, if the broker is available. */
  async drain(): Promise<void> {
    const deadline = Date.now() + DRAIN_TIMEOUT_MS;
    while (
      this.queue.length + this.heldBack.size + this.unconfirmed.size > 0 &&
      this.deps.publisher.isWritable &&
      Date.now() < deadline
    ) {
      await delay(DRAIN_POLL_MS);
    }
    await this.marker.flush();
  }

  private pump(): void {
    const { publisher, mostInBundle } = this.deps;
    for (const [address, entries] of this.heldBack) {
      const [first] = entries;
      if (first === undefined || !publisher.isWritable || !this.hasRoom(first)) continue;
      // Moved to the end of the list, so that the destinations of one queue alternate.
      this.heldBack.delete(address);
      this.heldBack.set(address, entries);
      this.sendFrom(entries);
      if (entries.length === 0 && this.heldBack.get(address) === entries) this.heldBack.delete(address);
    }
    for (let first = this.queue[0]; first !== undefined && publisher.isWritable; first = this.queue[0]) {
      const address = addressOf(first);
      if (!this.heldBack.has(address) && this.hasRoom(first)) {
        this.sendFrom(this.queue);
        continue;
      }
      const entries = this.heldBack.get(address) ?? [];
      entries.push(...(takeBundle(this.queue, mostInBundle) ?? []));
      this.heldBack.set(address, entries);
    }
  }

  private hasRoom(entry: OutboxEntry): boolean {
    return queuesOf(entry).every((queue) => (this.unconfirmed.get(queue) ?? 0) < MOST_UNCONFIRMED);
  }

  private count(entry: OutboxEntry, messages: 1 | -1): void {
    for (const queue of queuesOf(entry)) {
      const count = (this.unconfirmed.get(queue) ?? 0) + messages;
      if (count === 0) this.unconfirmed.delete(queue);
      else this.unconfirmed.set(queue, count);
    }
  }

  private sendFrom(entries: OutboxEntry[]): void {
    const { publisher, sender, mostInBundle } = this.deps;
    const bundle = takeBundle(entries, mostInBundle);
    if (bundle === undefined) return;
    const [first] = bundle;
    this.count(first, 1);
    const body = Buffer.from(bodyOf(bundle.map((entry) => entry.body)));
    const prepared = sender.prepare(first, body);
    const headers = bundle.length === 1 ? prepared.headers : { ...prepared.headers, [HEADERS.events]: bundle.length };
    publisher.send({ ...prepared, id: first.id, type: first.type, body, headers }, (outcome) =>
      this.settle(bundle, outcome),
    );
  }

  private settle(bundle: Bundle, outcome: Outcome): void {
    const { log, metrics } = this.deps;
    void failpoint('relay.after-publish-before-confirm');
    this.count(bundle[0], -1);
    const [{ id, type, targetQueue }] = bundle;
    metrics.published.inc({ type, outcome }, bundle.length);
    switch (outcome) {
      case 'confirmed':
        void failpoint('relay.after-confirm-before-mark');
        for (const entry of bundle) this.marker.confirm(entry.id);
        if (targetQueue === null) this.lastConfirmed.set(type, id);
        break;
      case 'returned':
        log.error({ eventId: id, events: bundle.length, type, targetQueue }, 'event.unroutable');
        if (targetQueue === null) this.deps.onReturned?.(type);
        for (const entry of bundle) this.marker.release(entry.id, 'returned by the broker: no queue is bound');
        break;
      case 'refused':
        log.error({ eventId: id, events: bundle.length, type, targetQueue }, 'event.refused');
        for (const entry of bundle)
          this.marker.release(entry.id, 'refused by the broker: queue full, queue unavailable, or permission denied');
        break;
      case 'lost':
        this.takeBack(bundle);
        return;
    }
    this.pump();
  }

  /** Puts events back at the front in the order of sending, because all of them are lost at the same moment. */
  private takeBack(bundle: Bundle): void {
    this.lost.push(bundle);
    if (this.lost.length > 1) return;
    setImmediate(() => {
      // Delayed events were committed after the sent ones of the same destination.
      this.queue = [...this.lost.flat(), ...[...this.heldBack.values()].flat(), ...this.queue];
      this.heldBack.clear();
      this.lost = [];
      this.pump();
    });
  }

  private forget(ids: readonly string[]): void {
    for (const id of ids) {
      this.bytes -= this.held.get(id) ?? 0;
      this.held.delete(id);
      this.markedMeanwhile?.add(id);
    }
    this.deps.metrics.relayMemory.set(this.held.size);
  }

  /** Skipped while the broker accepts nothing or memory contains enough events. */
  private async sweepOnce(signal: AbortSignal): Promise<void> {
    const { publisher, timings } = this.deps;
    const overdue = performance.now() - this.lastSweep > LONGEST_WITHOUT_SWEEP_MS;
    if (publisher.isWritable && (overdue || this.queue.length < ENOUGH_IN_MEMORY)) {
      this.lastSweep = performance.now();
      const stale = await this.claimUnmarked();
      if (this.offer(stale) > 0) return;
    }
    await this.pause(timings.sweepEveryMs, signal);
  }

  private async claimUnmarked(): Promise<OutboxEntry[]> {
    const marked = new Set<string>();
    this.markedMeanwhile = marked;
    try {
      const stale = await claimStale(this.deps.db, SWEEP_BATCH, this.deps.timings.claimMs);
      return stale.filter(({ id }) => !marked.has(id));
    } finally {
      this.markedMeanwhile = undefined;
    }
  }

  private async sweep(signal: AbortSignal): Promise<void> {
    const { log, timings } = this.deps;
    while (!signal.aborted) {
      try {
        await this.sweepOnce(signal);
      } catch (error) {
        log.warn({ err: error }, 'relay.sweep_failed');
        await this.pause(2 * timings.sweepEveryMs, signal);
      }
    }
  }

  private async pause(ms: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
      this.sweepNow = end;
      if (signal.aborted) end();
    });
  }
}

/** The queues that receive an event. Events without a queue are returned by the broker and need no limit. */
function queuesOf({ type, targetQueue }: OutboxEntry): readonly string[] {
  return targetQueue === null ? queuesReceiving(type) : [targetQueue];
}

function addressOf({ routingKey, targetQueue }: OutboxEntry): string {
  return `${targetQueue ?? ''} ${routingKey}`;
}
