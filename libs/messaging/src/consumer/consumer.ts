import { setTimeout as delay } from 'node:timers/promises';
import type { ProbedType } from '@pay/contracts';
import type { Database } from '@pay/persistence';
import { backOff, type Logger, type Worker } from '@pay/runtime';
import type { Handle, Prepare } from './batch';
import type { BindingWatch } from '../broker/binding-watch';
import type { BrokerConnection } from '../broker/connection';
import type { MerchantBacklog } from './merchant-backlog';
import { isNotFound, type Topology } from '../broker/declare-topology';
import { readDeliveries, SUSPECT_AFTER_RETURNS, type Delivery } from './delivery';
import type { EventSignatures } from '../broker/event-signatures';
import type { MessagingMetrics } from '../metrics';
import type { Publisher } from '../broker/publisher';
import { Session } from './session';
import { settle, settleSuspect, type SettleDeps } from './settle';
import { OUTAGE_WAITS, type Timings } from '../timings';
import { namesIn, type Names, type QueueName } from '../broker/topology';
import { withPatience } from './with-patience';

export interface ConsumerDeps {
  readonly queue: QueueName;
  /** For a fair queue: whether this consumer reads the overflow queue, and the state that both consumers share. */
  readonly fair?: { readonly isOverflow: boolean; readonly backlog: MerchantBacklog } | undefined;
  readonly prepare?: Prepare | undefined;
  readonly handle: Handle;
  readonly batchSize: number;
  /** Minimum time between the starts of two batches, unless a full batch is waiting. */
  readonly atMostEveryMs: number;
  readonly db: Database;
  readonly connection: BrokerConnection;
  readonly topology: Topology;
  readonly publisher: Publisher;
  readonly bindings: Pick<BindingWatch, 'record'>;
  readonly signatures: EventSignatures;
  readonly names: Names;
  readonly mostInBundle: number;
  readonly timings: Timings;
  readonly log: Logger;
  readonly metrics: MessagingMetrics;
}

/** At this batch size a consumer waits for more events, because a transaction costs as much as a dozen events. */
const BUSY_FROM = 8;
/** Maximum latency that a busy consumer adds to an event. */
const GATHER_MS = 25;

/**
 * Consumes one queue, one batch at a time, so that an acknowledgement covers all earlier messages. It acknowledges
 * after the commit, keeps its messages while the database is lost, and reopens after the channel or queue is lost.
 */
export class Consumer implements Worker {
  readonly name: string;
  /** The queue that is consumed, by its name on the broker without the namespace. */
  private readonly label: string;
  private session: Session | undefined;
  /** The watchdog ignores a consumer that waits for the database without a channel. */
  private waitsForDatabase = false;
  private needsTopology: boolean;

  constructor(private readonly deps: ConsumerDeps) {
    this.label = deps.fair?.isOverflow === true ? namesIn('').overflow(deps.queue) : deps.queue;
    this.name = `consumer ${this.label}`;
    this.needsTopology = !deps.topology.wasAsserted;
    // Without a value, no alert can fire for a queue that is never consumed.
    deps.metrics.consumerUp.set({ queue: this.label }, 0);
  }

  async run(signal: AbortSignal): Promise<void> {
    const stopping = new AbortController();
    const stop = () => stopping.abort();
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    const consuming = this.consumeUntil(stopping.signal);
    try {
      await Promise.race([consuming, this.watch(stopping.signal, consuming)]);
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
    }
  }

  private async consumeUntil(signal: AbortSignal): Promise<void> {
    const { connection, log, queue, metrics } = this.deps;
    const pauses = backOff(OUTAGE_WAITS);
    while (!signal.aborted) {
      try {
        await connection.untilUp(signal);
        this.session = await this.open(signal);
        metrics.consumerUp.set({ queue: this.label }, 1);
        pauses.reset();
        await this.work(this.session);
      } catch (error) {
        if (isStopping(signal)) break;
        if (isNotFound(error)) this.needsTopology = true;
        log.warn({ queue, err: error }, 'consumer.interrupted');
        await pauses.wait(signal);
      } finally {
        metrics.consumerUp.set({ queue: this.label }, 0);
        await this.session?.close();
        this.session = undefined;
      }
      await this.untilDatabaseAnswers(signal);
    }
  }

  /** Starts with one message at a time: a message that crashed the previous process is at the head of the queue. */
  private async open(signal: AbortSignal): Promise<Session> {
    const { topology, connection, names, queue, fair } = this.deps;
    if (this.needsTopology) await topology.assert();
    this.needsTopology = false;
    return Session.open(
      connection,
      fair?.isOverflow === true ? names.overflow(queue) : names.work(queue),
      1,
      signal,
      this.deps.timings.ackLingerMs,
    );
  }

  private async work(session: Session): Promise<void> {
    const { batchSize, atMostEveryMs, log, queue, fair, publisher } = this.deps;
    let alone = true;
    let isBusy = false;
    let begun = -Infinity;
    for (;;) {
      if (fair?.isOverflow === true) await fair.backlog.waitForWorkQueue(() => session.isOver);
      else fair?.backlog.workQueueWaits();
      const rest = begun + atMostEveryMs - performance.now();
      const gatherMs = Math.max(rest, isBusy ? GATHER_MS : 0);
      if (gatherMs > 0) await session.gather(batchSize, gatherMs);
      const messages = await session.take(fair?.isOverflow === false ? fair.backlog.mostAtOnce : batchSize);
      if (messages.length === 0) break;
      begun = performance.now();
      const deliveries = messages.flatMap((message) => readDeliveries(message, new Date(), this.deps));
      isBusy = deliveries.length >= BUSY_FROM && deliveries.filter(isEvent).length >= BUSY_FROM;
      const beyond = fair?.isOverflow === false ? fair.backlog.beyondShare(deliveries, session.hasMore) : undefined;
      const overflow = publisher.isWritable ? beyond : undefined;
      for (const group of groups(deliveries, batchSize, overflow)) {
        if (!(await this.settleGroup(session, group, overflow))) return;
      }
      if (alone && !deliveries.some(isSuspect)) {
        await session.changePrefetch(2 * batchSize);
        alone = false;
      }
    }
    if (session.end === undefined) return;
    if (session.end === 'cancelled') this.needsTopology = true;
    log.warn({ queue, end: session.end }, 'consumer.session_ended');
  }

  private async settleGroup(
    session: Session,
    group: readonly Delivery[],
    overflow: ReadonlySet<Delivery> | undefined,
  ): Promise<boolean> {
    const { db, topology, timings, log, queue } = this.deps;
    const recordProbes = (probes: readonly ProbedType[]) => this.deps.bindings.record(queue, probes);
    const deps: SettleDeps = { ...this.deps, recordProbes };
    const [first] = group;
    if (first === undefined) return true;
    const settled = await withPatience(
      {
        db,
        log,
        queue,
        repairTopology: () => topology.assert(),
        releaseAfterMs: timings.releaseAfterMs,
        isOver: () => session.isOver,
      },
      isSuspect(first) ? settleSuspect(deps, first) : settle(deps, group, overflow),
    );
    // A message that continues in the next group is not complete.
    const last = group.findLast((delivery) => delivery.isLast);
    if (settled && last !== undefined)
      session.acknowledgeUpTo(last.message, group.filter((delivery) => delivery.isLast).length);
    return settled && session.end === undefined;
  }

  private async untilDatabaseAnswers(signal: AbortSignal): Promise<void> {
    const pauses = backOff(OUTAGE_WAITS);
    while (!signal.aborted) {
      try {
        await this.deps.db.ping();
        break;
      } catch {
        this.waitsForDatabase = true;
        await pauses.wait(signal);
      }
    }
    this.waitsForDatabase = false;
  }

  /**
   * Rejects when the queue has had no consumer for too long although the broker is available, so that the process
   * restarts.
   */
  private async watch(signal: AbortSignal, consuming: Promise<void>): Promise<void> {
    const { timings, connection, queue } = this.deps;
    // Promise.race would add a reaction to this promise at every check, for the lifetime of the process.
    const over = new AbortController();
    const isOver = () => over.abort();
    consuming.then(isOver, isOver);
    const either = AbortSignal.any([signal, over.signal]);
    let since: number | undefined;
    while (!either.aborted) {
      const isWithoutConsumer =
        connection.isUp && !this.waitsForDatabase && (this.session === undefined || this.session.end !== undefined);
      since = isWithoutConsumer ? (since ?? performance.now()) : undefined;
      if (since !== undefined && performance.now() - since > timings.watchdogMs) {
        throw new Error(`${queue} has had no consumer for ${timings.watchdogMs} ms`);
      }
      await delay(timings.watchdogMs / 10, undefined, { signal: either, ref: false }).catch(() => undefined);
    }
    await consuming;
  }
}

function isEvent({ content }: Delivery): boolean {
  return 'event' in content;
}

/** Only an event reaches a handler, which may crash the process. */
function isSuspect(delivery: Delivery): boolean {
  return isEvent(delivery) && delivery.timesReturned >= SUSPECT_AFTER_RETURNS;
}

/**
 * Splits a batch so that each suspect message is handled alone and no more than `most` are handled together, in the
 * order of delivery.
 */
function groups(deliveries: readonly Delivery[], most: number, overflow?: ReadonlySet<Delivery>): Delivery[][] {
  const cut: Delivery[][] = [];
  let open: Delivery[] | undefined;
  let handled = 0;
  for (const delivery of deliveries) {
    if (isSuspect(delivery)) {
      cut.push([delivery]);
      open = undefined;
      continue;
    }
    if (open === undefined || handled === most) {
      open = [];
      handled = 0;
      cut.push(open);
    }
    open.push(delivery);
    if (overflow?.has(delivery) !== true) handled += 1;
  }
  return cut;
}

/** The value may have changed during the wait, which the compiler does not assume. */
function isStopping(signal: AbortSignal): boolean {
  return signal.aborted;
}
