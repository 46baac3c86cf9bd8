import { DAY_MS, SERVICES, type EventType, type ServiceName } from '@pay/contracts';
import { statement, type Database, type Transaction } from '@pay/persistence';
import { onceAtATime, type Logger } from '@pay/runtime';
import { closeQuietly, type BrokerConnection } from './connection';
import { draft, type EventDraft } from '../draft';
import type { MessagingMetrics } from '../metrics';
import { REPLAY_WINDOW_DAYS, type Timings } from '../timings';
import {
  addressedKey,
  bindingsOf,
  familyOf,
  isFair,
  ownerOf,
  queuesOf,
  RETRY_STEPS,
  unhandledQueuesOf,
  typesOf,
  type Names,
  type QueueName,
} from './topology';

/**
 * Set explicitly, so that all broker versions behave alike. Far above the limits of the consumers, which park a message
 * earlier.
 */
const DELIVERY_LIMIT = 50;
/** Parked messages are removed only by an operator, however often they are listed. */
const NO_DELIVERY_LIMIT = 1_000_000;
const PARALLEL_CHANNELS = 6;
const EVER_MS = 36_500 * DAY_MS;

const START_REPAIR = statement(
  'messaging-start-repair',
  'insert into queue_repairs (queue) select unnest($1::text[]) on conflict do nothing',
);
const OPEN_REPAIRS = statement('messaging-open-repairs', 'select queue from queue_repairs');
const END_REPAIR = statement('messaging-end-repair', 'delete from queue_repairs where queue = any($1::text[])');

// Publishers whose probes this queue receives, with the types that they probe.
const TESTED = statement(
  'messaging-tested-bindings',
  `select queue, publisher, type from (
     select queue, publisher, type, max(recorded_at) over (partition by queue, publisher) as recorded_at
       from binding_probes where queue = any($1::text[])) as tested
    where recorded_at > now() - $2 * interval '1 millisecond'`,
);

/** Number of rounds without a probe of a publisher after which its bindings are declared again. */
const SILENT_ROUNDS = 4;

type Channels = Pick<BrokerConnection, 'channel'>;

/** A binding that is tested by probes: one type of one publisher in one queue. */
export interface TestedBinding {
  readonly queue: QueueName;
  readonly publisher: ServiceName;
  readonly type: EventType;
}

export interface DeclareDeps {
  readonly connection: Channels;
  readonly names: Names;
  readonly timings: Pick<Timings, 'retryMs'>;
  readonly services: readonly ServiceName[];
  /** For tests: those of the services of which only the queues that receive published events are declared. */
  readonly withoutRetries?: readonly ServiceName[];
  /** With administrator rights: also declares the event exchanges. */
  readonly asAdministrator: boolean;
}

export interface TopologyDeps extends DeclareDeps {
  readonly db: Database;
  readonly publish: (tx: Transaction, drafts: readonly EventDraft[]) => Promise<void>;
  readonly log: Logger;
  readonly metrics: Pick<MessagingMetrics, 'repaired'>;
  readonly timings: Pick<Timings, 'retryMs' | 'probeEveryMs'>;
}

/**
 * Keeps a service's own queues and bindings in line with the topology. A process that creates a missing queue requests
 * a replay from all publishers; the request is recorded before the queue is created, so a crash in between loses no
 * event.
 */
export class Topology {
  private once = false;
  private readonly startedAt = performance.now();

  constructor(private readonly deps: TopologyDeps) {}

  /** Whether the topology has been asserted since this process started. */
  get wasAsserted(): boolean {
    return this.once;
  }

  /** Asserts the queues and bindings that the service owns. Concurrent callers share one run. */
  readonly assert = onceAtATime(() => this.run());

  private async run(): Promise<void> {
    const { db, log, metrics } = this.deps;
    const missing = await missingQueues(this.deps);
    if (missing.lost.length > 0) await db.execute(START_REPAIR, [missing.lost]);
    const differing = await declareAll(this.deps, missing, await this.tested());
    // No event passes through it, so events must not wait for its repair.
    for (const exchange of differing) log.error({ exchange, expectedType: 'direct' }, 'broker.exchange_differs');
    const repaired = (await db.query<{ queue: QueueName }>(OPEN_REPAIRS)).map((row) => row.queue);
    if (repaired.length > 0) {
      await this.requestReplays(repaired);
      log.warn({ queues: repaired }, 'broker.queues_declared');
      for (const queue of repaired) metrics.repaired.inc({ queue });
    }
    this.once = true;
  }

  async declareBindings(bindings: readonly TestedBinding[]): Promise<void> {
    const { connection, names } = this.deps;
    const channel = await connection.channel();
    for (const { queue, publisher, type } of bindings) {
      for (const key of [`${type}.*`, addressedKey(queue, `${type}.*`)])
        await channel.bindQueue(names.work(queue), names.events(publisher), key);
    }
    await closeQuietly(channel);
  }

  /**
   * Bindings that probes test; a new process waits for probes first. Declaring them between two rounds would hide a
   * lost binding: events would be lost, but no probe.
   */
  private async tested(): Promise<ReadonlySet<string>> {
    const { db, services, timings } = this.deps;
    const patienceMs = SILENT_ROUNDS * timings.probeEveryMs;
    const isStarting = performance.now() - this.startedAt < patienceMs;
    const rows = await db.query<TestedBinding>(TESTED, [services.flatMap(queuesOf), isStarting ? EVER_MS : patienceMs]);
    return new Set(rows.map(({ queue, publisher, type }) => placeOf(queue, publisher, `${type}.*`)));
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
}

type WholeDeps = Omit<DeclareDeps, 'services' | 'asAdministrator'>;

/**
 * Declares the topology of all services for an administrator and changes no existing object. A service requests a
 * replay only to queues that it creates itself, so queues that were lost with their messages must not be created here.
 */
export async function declareWhole(deps: WholeDeps): Promise<void> {
  const whole = { ...deps, services: SERVICES, asAdministrator: true };
  requireDirect(await declareAll(whole, await missingQueues(whole)));
}

/** Declares the exchanges of all services for an administrator, and no queue. */
export async function declareExchanges(deps: Pick<WholeDeps, 'connection' | 'names'>): Promise<void> {
  requireDirect(await assertExchanges({ ...deps, services: SERVICES, asAdministrator: true }));
}

function requireDirect([differing]: readonly string[]): void {
  if (differing !== undefined)
    throw new Error(`the exchange ${differing} must be of type direct: delete it and run this again`);
}

interface MissingQueues {
  /** Queues that receive published events: they lose the events that are published while they do not exist. */
  readonly lost: readonly QueueName[];
  /**
   * Queues of which any other queue is missing, such as the parked queue or a new retry queue. No event is published to
   * those directly.
   */
  readonly incomplete: readonly QueueName[];
}

async function missingQueues(deps: DeclareDeps): Promise<MissingQueues> {
  const { services, connection, names } = deps;
  const without = async (membersOf: (queue: QueueName) => readonly string[]): Promise<QueueName[]> => {
    const found = await inParallel(services.flatMap(queuesOf), async (queue) =>
      (await queuesExist(connection, membersOf(queue))) ? undefined : queue,
    );
    return found.filter((queue) => queue !== undefined);
  };
  const incomplete = await without((queue) => declaredOf(deps, queue));
  if (incomplete.length === 0) return { lost: [], incomplete };
  return { lost: await without((queue) => unhandledQueuesOf(queue, names)), incomplete };
}

function declaredOf({ names, withoutRetries = [] }: DeclareDeps, queue: QueueName): readonly string[] {
  return withoutRetries.includes(ownerOf(queue)) ? unhandledQueuesOf(queue, names) : familyOf(queue, names);
}

/** Returns the `own` exchanges that exist with another type. */
async function declareAll(
  deps: DeclareDeps,
  { incomplete, lost }: MissingQueues,
  tested: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const differing = await assertExchanges(deps);
  await inParallel(deps.services.flatMap(queuesOf), async (queue) => {
    if (incomplete.includes(queue)) await makeFamily(deps, queue);
    await bind(deps, queue, lost.includes(queue) ? new Set() : tested);
  });
  return differing;
}

async function assertExchanges({
  connection,
  names,
  services,
  asAdministrator,
}: Pick<DeclareDeps, 'connection' | 'names' | 'services' | 'asAdministrator'>): Promise<string[]> {
  const differing: string[] = [];
  let channel = await connection.channel();
  for (const service of services) {
    try {
      await channel.assertExchange(names.own(service), 'direct', { durable: true });
    } catch (error) {
      if (!hasCode(error, 406)) throw error;
      differing.push(names.own(service));
      channel = await connection.channel();
    }
  }
  if (asAdministrator) {
    for (const service of SERVICES) await channel.assertExchange(names.events(service), 'topic', { durable: true });
  }
  await closeQuietly(channel);
  return differing;
}

/** A queue that exists with other arguments is used as it is. */
async function makeFamily(deps: DeclareDeps, queue: QueueName): Promise<void> {
  const { connection, names, timings } = deps;
  const declared = declaredOf(deps, queue);
  const parked = names.parked(queue);
  const exchange = names.own(ownerOf(queue));
  const family = [
    { name: parked, options: quorum(NO_DELIVERY_LIMIT) },
    ...RETRY_STEPS.map((step) => ({
      name: names.retry(queue, step),
      options: { ...quorum(DELIVERY_LIMIT, exchange, names.work(queue)), messageTtl: timings.retryMs[step] },
    })),
    ...(isFair(queue) ? [{ name: names.overflow(queue), options: quorum(DELIVERY_LIMIT, exchange, parked) }] : []),
    { name: names.work(queue), options: quorum(DELIVERY_LIMIT, exchange, parked) },
  ];
  let channel = await connection.channel();
  for (const { name, options } of family.filter(({ name }) => declared.includes(name))) {
    try {
      await channel.assertQueue(name, options);
    } catch (error) {
      if (!hasCode(error, 406)) throw error;
      channel = await connection.channel();
    }
  }
  await closeQuietly(channel);
}

async function bind(deps: DeclareDeps, queue: QueueName, tested: ReadonlySet<string>): Promise<void> {
  const { connection, names } = deps;
  const channel = await connection.channel();
  const work = names.work(queue);
  const own = names.own(ownerOf(queue));
  try {
    await Promise.all([
      ...declaredOf(deps, queue).map((name) => channel.bindQueue(name, own, name)),
      ...bindingsOf(queue)
        .filter(({ publisher, key }) => !tested.has(placeOf(queue, publisher, key)))
        .map(({ publisher, key }) => channel.bindQueue(work, names.events(publisher), key)),
    ]);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new Error(
      `an exchange of events is missing: declare all of them with \`node tools/broker.mjs declare\` (${error.message})`,
      { cause: error },
    );
  }
  await closeQuietly(channel);
}

function placeOf(queue: QueueName, publisher: ServiceName, key: string): string {
  return `${queue} ${publisher} ${key}`;
}

async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index] as Item);
  };
  await Promise.all(Array.from({ length: PARALLEL_CHANNELS }, worker));
  return results;
}

/**
 * Whether all these queues exist. Uses a separate channel, because the broker closes the channel when a queue is
 * missing.
 */
export async function queuesExist(connection: Channels, queues: readonly string[]): Promise<boolean> {
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

export function isNotFound(error: unknown): error is Error {
  return hasCode(error, 404);
}

function hasCode(error: unknown, code: number): error is Error {
  return error instanceof Error && 'code' in error && error.code === code;
}

/**
 * Dead letters use the exchange of the service, because a declarer must be permitted to write to it and the default
 * exchange reaches every queue. At-least-once dead-lettering requires `reject-publish`; with the default overflow it
 * silently becomes at-most-once.
 */
function quorum(deliveryLimit: number, deadLetterExchange?: string, deadLetterKey?: string) {
  return {
    durable: true,
    arguments: {
      'x-queue-type': 'quorum',
      'x-delivery-limit': deliveryLimit,
      'x-overflow': 'reject-publish',
      ...(deadLetterExchange === undefined
        ? {}
        : {
            'x-dead-letter-exchange': deadLetterExchange,
            'x-dead-letter-routing-key': deadLetterKey,
            'x-dead-letter-strategy': 'at-least-once',
          }),
    },
  };
}
