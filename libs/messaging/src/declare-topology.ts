import type { Channel } from 'amqplib';
import { statement, type Database, type Transaction } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import { closeQuietly, type BrokerConnection } from './connection';
import { draft, type EventDraft } from './draft';
import type { MessagingMetrics } from './metrics';
import { REPLAY_WINDOW_DAYS, type Timings } from './timings';
import { isFair, QUEUES, RETRY_STEPS, typesOf, formerTypesOf, type Names, type QueueName } from './topology';

/** Explicit on every queue, so that all versions of the broker behave alike; far above our own limits. */
const DELIVERY_LIMIT = 50;
/** Parked messages leave only by hand, however often they are looked at. */
const NO_DELIVERY_LIMIT = 1_000_000;
const PARALLEL_CHANNELS = 6;
const DAY_MS = 86_400_000;

const START_REPAIR = statement(
  'messaging-start-repair',
  'insert into queue_repairs (queue) select unnest($1::text[]) on conflict do nothing',
);
const OPEN_REPAIRS = statement('messaging-open-repairs', 'select queue from queue_repairs');
const END_REPAIR = statement('messaging-end-repair', 'delete from queue_repairs where queue = any($1::text[])');

export interface TopologyDeps {
  readonly connection: BrokerConnection;
  readonly names: Names;
  readonly timings: Pick<Timings, 'retryMs'>;
  readonly db: Database;
  readonly publish: (tx: Transaction, drafts: readonly EventDraft[]) => Promise<void>;
  readonly log: Logger;
  readonly metrics: Pick<MessagingMetrics, 'repaired'>;
}

/**
 * Keeps exchanges, queues and bindings as the table says. Whoever makes a missing queue asks all publishers to replay what it has missed;
 * that is noted in the database before the queue is made and struck out in the transaction of the request, so that a crash in between
 * loses nothing.
 */
export class Topology {
  private running: Promise<void> | undefined;
  private once = false;

  constructor(private readonly deps: TopologyDeps) {}

  /** Whether the table has been asserted since this process started. */
  get wasAsserted(): boolean {
    return this.once;
  }

  /** Asserts the whole table. Callers that ask at the same time share one run. */
  assert(): Promise<void> {
    this.running ??= this.run().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async run(): Promise<void> {
    const { db, log, metrics } = this.deps;
    const missing = await this.missingQueues();
    if (missing.length > 0) await db.execute(START_REPAIR, [missing]);
    await this.declareAll();
    const repaired = (await db.query<{ queue: QueueName }>(OPEN_REPAIRS)).map((row) => row.queue);
    if (repaired.length > 0) {
      await this.requestReplays(repaired);
      log.warn({ queues: repaired }, 'broker.queues_made');
      for (const queue of repaired) metrics.repaired.inc({ queue });
    }
    this.once = true;
  }

  private async missingQueues(): Promise<QueueName[]> {
    const found = await this.inParallel(QUEUES, async (queue) => ((await this.isComplete(queue)) ? undefined : queue));
    return found.filter((queue) => queue !== undefined);
  }

  /** A work queue with its side lane, its retry and parked queues: whichever of them was lost, messages may have been lost with it. */
  private async isComplete(queue: QueueName): Promise<boolean> {
    const { names } = this.deps;
    const all = [names.work(queue), ...RETRY_STEPS.map((step) => names.retry(queue, step)), names.parked(queue)];
    if (isFair(queue)) all.push(names.crowd(queue));
    // A failed check closes its channel, so each family has one to lose.
    return queuesExist(this.deps.connection, all);
  }

  private async declareAll(): Promise<void> {
    const { connection, names } = this.deps;
    const channel = await connection.channel();
    await channel.assertExchange(names.events, 'topic', { durable: true });
    await channel.assertExchange(names.broadcast, 'topic', { durable: true });
    await closeQuietly(channel);
    await this.inParallel(QUEUES, async (queue) => {
      const own = await connection.channel();
      await this.declare(own, queue);
      await closeQuietly(own);
    });
  }

  private async declare(channel: Channel, queue: QueueName): Promise<void> {
    const { names, timings } = this.deps;
    const parked = names.parked(queue);
    await channel.assertQueue(parked, quorum(NO_DELIVERY_LIMIT));
    for (const step of RETRY_STEPS) {
      const waiting = { ...quorum(DELIVERY_LIMIT, names.work(queue)), messageTtl: timings.retryMs[step] };
      await channel.assertQueue(names.retry(queue, step), waiting);
    }
    if (isFair(queue)) await channel.assertQueue(names.crowd(queue), quorum(DELIVERY_LIMIT, parked));
    await channel.assertQueue(names.work(queue), quorum(DELIVERY_LIMIT, parked));
    // Every version of a type: one that this process does not know yet is parked and can be replayed, and not lost.
    await Promise.all([
      ...typesOf(queue).map((type) => channel.bindQueue(names.work(queue), names.events, `${type}.*`)),
      ...formerTypesOf(queue).map((type) => channel.unbindQueue(names.work(queue), names.events, `${type}.*`)),
    ]);
  }

  private async requestReplays(queues: readonly QueueName[]): Promise<void> {
    const now = Date.now();
    const requests = queues.map((queue) =>
      draft('messaging.replay_requested', {
        environment: null,
        merchantId: null,
        aggregateId: queue,
        sequence: 0,
        occurredAt: new Date(now),
        data: { queue, types: [...typesOf(queue)], since: new Date(now - REPLAY_WINDOW_DAYS * DAY_MS).toISOString() },
      }),
    );
    await this.deps.db.transaction(async (tx) => {
      await this.deps.publish(tx, requests);
      await tx.execute(END_REPAIR, [queues]);
    });
  }

  private async inParallel<Item, Result>(
    items: readonly Item[],
    work: (item: Item) => Promise<Result>,
  ): Promise<Result[]> {
    const results: Result[] = [];
    let next = 0;
    const lane = async () => {
      for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index] as Item);
    };
    await Promise.all(Array.from({ length: PARALLEL_CHANNELS }, lane));
    return results;
  }
}

/** Whether all these queues exist, asked on a channel of its own, because the broker closes it with the first "no". */
export async function queuesExist(connection: BrokerConnection, queues: readonly string[]): Promise<boolean> {
  const channel = await connection.channel();
  try {
    for (const queue of queues) await channel.checkQueue(queue);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  } finally {
    await closeQuietly(channel);
  }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 404;
}

/**
 * Dead letters go through the default exchange, to which every queue is bound by its name: nothing that could be missing. At-least-once
 * needs `reject-publish`; with the default overflow it would silently be at-most-once.
 */
function quorum(deliveryLimit: number, deadLetterQueue?: string) {
  return {
    durable: true,
    arguments: {
      'x-queue-type': 'quorum',
      'x-delivery-limit': deliveryLimit,
      'x-overflow': 'reject-publish',
      ...(deadLetterQueue === undefined
        ? {}
        : {
            'x-dead-letter-exchange': '',
            'x-dead-letter-routing-key': deadLetterQueue,
            'x-dead-letter-strategy': 'at-least-once',
          }),
    },
  };
}
