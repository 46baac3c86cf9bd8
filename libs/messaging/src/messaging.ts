import { SERVICES, type EventOf, type ServiceName } from '@pay/contracts';
import type { Database, Transaction } from '@pay/persistence';
import { every, type Logger, type Metrics, type TaskResult, type Worker } from '@pay/runtime';
import { BindingWatch } from './broker/binding-watch';
import { Broadcaster, type Broadcast } from './broker/broadcast';
import { BrokerConnection } from './broker/connection';
import { Topology } from './broker/declare-topology';
import type { EventKeys } from './broker/event-keys';
import { EventSender, type Identity } from './broker/event-sender';
import { EventSignatures } from './broker/event-signatures';
import { Prober } from './broker/prober';
import { Publisher } from './broker/publisher';
import { isFair, isQueueName, namesIn, ownerOf, queuesOf, type QueueName } from './broker/topology';
import { takeTurn } from './broker/turns';
import type { Handle, Prepare } from './consumer/batch';
import { Consumer } from './consumer/consumer';
import { MerchantBacklog } from './consumer/merchant-backlog';
import { watchParked } from './consumer/parked-gauge';
import { conflictReporter, type ReportConflict } from './consumer/sequence-conflict';
import type { EventDraft } from './draft';
import { messagingMetrics } from './metrics';
import { writeOutbox } from './outbox/outbox';
import { checkEpoch } from './outbox/publisher-epoch';
import { Relay } from './outbox/relay';
import { Replayer } from './outbox/replay';
import { TIMINGS, type Timings } from './timings';

export interface MessagingOptions {
  readonly url: string;
  /** Prefix of all names on the broker; empty unless several systems share one. */
  readonly namespace: string;
  readonly service: ServiceName;
  readonly eventKeys: EventKeys;
  readonly db: Database;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** For tests: replaces the built-in timings. All processes of a namespace need the same `retryMs`. */
  readonly timings?: Partial<Timings>;
  /** For tests, with an administrator account: the process also acts for all other services. */
  readonly keysOfOthers?: (service: ServiceName) => EventKeys;
  /** For tests: the other services whose queues it consumes, so that it also declares their retry and parked queues. */
  readonly consumesFor?: readonly ServiceName[];
  /** Runs once after the epoch of this service's database has changed, in the transaction that records it. */
  readonly onNewEpoch?: (tx: Transaction) => Promise<unknown>;
}

/**
 * A fifth of a consumer's batch: five full queues fill a batch, and a process that dies returns few events with an
 * increased delivery count.
 */
const EVENTS_PER_MESSAGE = 20;

export interface ConsumerOptions {
  readonly queue: string;
  readonly handle: Handle<undefined>;
  /** Maximum number of messages per transaction. Default: 100. */
  readonly batchSize?: number;
  /**
   * Minimum milliseconds between two batches, for events that do not delay payments. A full batch and the first event
   * after a pause start immediately.
   */
  readonly atMostEveryMs?: number;
}

export interface PreparedConsumerOptions<Prepared> extends Omit<ConsumerOptions, 'handle'> {
  readonly prepare: Prepare<Prepared>;
  /** Receives the prepared data of the whole batch, including repeats. `events` are only the new ones. */
  readonly handle: Handle<Prepared>;
}

export interface Messaging {
  /**
   * Writes events to the outbox in the caller's transaction; they are sent after its commit. With `queue`: to that
   * queue only.
   */
  publish(tx: Transaction, drafts: readonly EventDraft[], options?: { readonly queue?: string }): Promise<void>;
  /** Publishes the outbox, runs replays and deletes old rows. One per process. */
  relay(): Worker;
  consumer<Prepared>(options: PreparedConsumerOptions<Prepared>): Worker;
  consumer(options: ConsumerOptions): Worker;
  /** Handles the control events of messaging; call it from the handler of the service's control queue. */
  handleControl(tx: Transaction, events: readonly EventOf[]): Promise<void>;
  readonly broadcast: Broadcast;
  /** Reports a fact with the epoch and sequence of a stored fact but different content. */
  readonly reportConflict: ReportConflict;
  /**
   * Readiness checks. `broker` fails until the process has found the broker complete once; a later broker outage does
   * not make a service unready, because events wait in the outbox.
   */
  readonly checks: { broker(): void };
  close(): Promise<void>;
}

const DEFAULT_BATCH = 100;
/** Number of checks per period in which each replica tests whether a periodic task is due. */
const LOOKS_PER_TURN = 5;

/** Connects in the background. Requires the tables of `messagingMigrations`. */
export async function openMessaging(options: MessagingOptions): Promise<Messaging> {
  const { url, namespace, service, db, log } = options;
  const timings: Timings = { ...TIMINGS, ...options.timings };
  const names = namesIn(namespace);
  const identities = identitiesOf(options);
  const consumesFor = [service, ...(options.consumesFor ?? [])];
  const metrics = messagingMetrics(options.metrics, db, log, consumesFor.flatMap(queuesOf));
  const common = { url, service, log, metrics };
  const sender = new EventSender(names, identities);
  const publishing = await BrokerConnection.open({ ...common, purpose: 'publish' });
  const consuming = await BrokerConnection.open({ ...common, purpose: 'consume' });

  function publish(
    tx: Transaction,
    drafts: readonly EventDraft[],
    { queue }: { readonly queue?: string } = {},
  ): Promise<void> {
    if (queue !== undefined) requireQueue(queue);
    const foreign = drafts.find(({ type }) => !sender.mayPublish(type));
    if (foreign !== undefined) throw new TypeError(`${service} may not publish ${foreign.type}: see PUBLISHERS`);
    writeOutbox({ timings, handOver: (entries) => relay.offer(entries) }, tx, drafts, queue ?? null);
    return Promise.resolve();
  }

  async function declareWhenDue(): Promise<TaskResult> {
    if (!publisher.isWritable) return 'done';
    if (!(await takeTurn(db, 'declare', timings.declareEveryMs))) return 'left_to_another_replica';
    await topology.assert();
    return 'done';
  }

  const topology = new Topology({
    connection: publishing,
    names,
    timings,
    db,
    publish,
    log,
    metrics,
    services: identities.map((identity) => identity.service),
    asAdministrator: options.keysOfOthers !== undefined,
    withoutRetries: SERVICES.filter((other) => !consumesFor.includes(other)),
  });
  const publisher = new Publisher({
    connection: publishing,
    assertTopology: () => topology.assert(),
    timings,
    log,
    metrics,
  });
  const checkOwnEpoch = () => checkEpoch({ db, log, gauge: metrics.publisherEpoch, onNewEpoch: options.onNewEpoch });
  // The epoch is checked before publishing: a restored dump must not publish in its old epoch.
  await checkOwnEpoch().catch((error: unknown) => log.warn({ err: error }, 'publisher_epoch.check_failed'));
  const replayer = new Replayer({ db, publisher, sender, timings, isBusy: (queue) => relay.isBusy(queue), log });
  const consumers = queuesOf(service);
  const relay: Relay = new Relay({
    db,
    publisher,
    replayer,
    sender,
    consumers,
    mostInBundle: EVENTS_PER_MESSAGE,
    timings,
    log,
    metrics,
    checkEpoch: checkOwnEpoch,
    onReturned: (type) => prober.doubt(type),
  });
  const bindings = new BindingWatch({
    db,
    topology,
    publish,
    timings,
    log,
    metrics,
    queues: identities.flatMap((identity) => queuesOf(identity.service)),
  });
  const prober = new Prober({ db, publisher, sender, timings, latest: relay.latest });
  publisher.on('exchangeMissing', () => prober.doubt());
  const chores = [
    every('probes', timings.probeEveryMs / LOOKS_PER_TURN, () => prober.runDue(), { log }),
    every('bindings', timings.probeEveryMs, () => bindings.repair(), { log }),
    every('topology', timings.declareEveryMs / LOOKS_PER_TURN, declareWhenDue, { log }),
  ];
  const broadcast = new Broadcaster({ publishing, consuming, names, service, log });
  const parkedGauge = watchParked({ connection: consuming, names, service, metrics });

  return {
    publish,
    broadcast,
    reportConflict: conflictReporter({ log, metrics }),
    relay: () => relay.worker(chores),
    consumer(options: ConsumerOptions | PreparedConsumerOptions<unknown>) {
      const queue = requireQueue(options.queue);
      const batchSize = options.batchSize ?? DEFAULT_BATCH;
      const deps = {
        queue,
        prepare: 'prepare' in options ? options.prepare : undefined,
        // The options type couples handled and prepared data; from here on it is only passed through.
        handle: options.handle as Handle,
        batchSize,
        atMostEveryMs: options.atMostEveryMs ?? 0,
        signatures: signaturesFor(
          queue,
          identities.filter((identity) => consumesFor.includes(identity.service)),
        ),
        mostInBundle: EVENTS_PER_MESSAGE,
        db,
        connection: consuming,
        topology,
        publisher,
        bindings,
        names,
        timings,
        log,
        metrics,
      };
      if (!isFair(queue)) return new Consumer(deps);
      const backlog = new MerchantBacklog(batchSize);
      return together([
        new Consumer({ ...deps, fair: { isOverflow: false, backlog } }),
        new Consumer({ ...deps, fair: { isOverflow: true, backlog } }),
      ]);
    },
    handleControl: (tx, events) => replayer.accept(tx, events),
    checks: {
      broker() {
        if (!topology.wasAsserted) throw new Error('the broker has not been reached yet');
      },
    },
    async close() {
      parkedGauge.stop();
      await relay.drain();
      await broadcast.close();
      await publisher.close();
      await Promise.all([publishing.close(), consuming.close()]);
    },
  };
}

function identitiesOf({ service, eventKeys, keysOfOthers }: MessagingOptions): readonly [Identity, ...Identity[]] {
  const own = { service, signatures: new EventSignatures(service, eventKeys) };
  if (keysOfOthers === undefined) return [own];
  const others = SERVICES.filter((other) => other !== service);
  return [
    own,
    ...others.map((other) => ({ service: other, signatures: new EventSignatures(other, keysOfOthers(other)) })),
  ];
}

function signaturesFor(queue: QueueName, identities: readonly Identity[]): EventSignatures {
  const identity = identities.find(({ service }) => service === ownerOf(queue));
  if (identity === undefined) throw new RangeError(`${queue} is a queue of another service`);
  return identity.signatures;
}

function requireQueue(queue: string) {
  if (!isQueueName(queue)) throw new RangeError(`${queue} is not a queue of the topology`);
  return queue;
}

function together(workers: readonly [Worker, ...Worker[]]): Worker {
  return {
    name: workers[0].name,
    async run(signal) {
      const failing = new AbortController();
      const either = AbortSignal.any([signal, failing.signal]);
      const stopOthers = (error: unknown) => {
        failing.abort();
        throw error;
      };
      await Promise.all(workers.map((worker) => worker.run(either).catch(stopOthers)));
    },
  };
}
