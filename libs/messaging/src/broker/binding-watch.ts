import { PUBLISHERS, SERVICES, type ProbedType, type ServiceName } from '@pay/contracts';
import { isConnectionLoss, retryOnConflict, statement, type Database, type Transaction } from '@pay/persistence';
import { onceAtATime, type Logger } from '@pay/runtime';
import type { TestedBinding, Topology } from './declare-topology';
import { draft, type EventDraft } from '../draft';
import type { MessagingMetrics } from '../metrics';
import { advance, type BindingState } from './received-probes';
import type { Timings } from '../timings';
import { typesOf, type QueueName } from './topology';

/** A probe does not count events as published whose transactions were still open when it was sent. */
const MARGIN_MS = 60_000;

const LOCK = statement(
  'binding-probes-lock',
  `select publisher, type, seen, ahead, sent_at, published_until, missing_since, repaired_at from binding_probes
    where queue = $1 and publisher = any($2::text[]) order by publisher, type for update`,
);

// Two replicas may both insert the first row.
const STORE = statement(
  'binding-probes-store',
  `insert into binding_probes as stored (queue, publisher, type, seen, ahead, sent_at, published_until, missing_since, repaired_at)
   select $1, publisher, type, seen, ahead::bigint[], sent_at, published_until, missing_since, repaired_at
     from unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::timestamptz[], $7::timestamptz[], $8::timestamptz[],
                 $9::timestamptz[]) as e (publisher, type, seen, ahead, sent_at, published_until, missing_since, repaired_at)
    order by publisher, type
   on conflict (queue, publisher, type) do update
      set seen = greatest(stored.seen, excluded.seen), ahead = excluded.ahead,
          sent_at = greatest(stored.sent_at, excluded.sent_at),
          repaired_at = excluded.repaired_at, recorded_at = clock_timestamp(),
          published_until = greatest(stored.published_until, excluded.published_until),
          missing_since = least(stored.missing_since, excluded.missing_since)`,
);

const MISSING = statement(
  'binding-probes-missing',
  `select queue, publisher, type, missing_since as "missingSince" from binding_probes
    where missing_since is not null and queue = any($1::text[]) order by queue, publisher, type`,
);
const TAKE_MISSING = statement('binding-probes-take-missing', `${MISSING.text} for update skip locked`);
const REPAIRED = statement(
  'binding-probes-repaired',
  `update binding_probes set missing_since = null, repaired_at = clock_timestamp()
    where queue = $1 and publisher = $2 and type = any($3::text[])`,
);

interface StateRow {
  readonly publisher: string;
  readonly type: string;
  readonly seen: string;
  readonly ahead: readonly string[];
  readonly sent_at: Date;
  readonly published_until: Date;
  readonly missing_since: Date | null;
  readonly repaired_at: Date | null;
}

interface MissingRow extends TestedBinding {
  readonly missingSince: Date;
}

export interface BindingWatchDeps {
  readonly db: Database;
  readonly topology: Pick<Topology, 'declareBindings'>;
  readonly publish: (tx: Transaction, drafts: readonly EventDraft[], options: { queue: string }) => Promise<void>;
  readonly timings: Pick<Timings, 'probeEveryMs'>;
  readonly queues: readonly QueueName[];
  readonly log: Logger;
  readonly metrics: Pick<MessagingMetrics, 'bindingsRepaired'>;
}

/** Records the probes of the bindings of this service's queues, and repairs a binding that was missing. */
export class BindingWatch {
  constructor(private readonly deps: BindingWatchDeps) {}

  /**
   * Stores the probes that a queue has received. Throws only if the database is lost; the probes are then redelivered.
   */
  async record(queue: QueueName, probes: readonly ProbedType[]): Promise<void> {
    const { db, timings, log } = this.deps;
    try {
      const isMissing = await retryOnConflict(db, (tx) => store(tx, queue, probes, timings.probeEveryMs));
      if (isMissing) this.repair().catch((error: unknown) => log.error({ err: error }, 'bindings.repair_failed'));
    } catch (error) {
      if (isConnectionLoss(error)) throw error;
      log.error({ queue, err: error }, 'probes.not_recorded');
    }
  }

  /**
   * Declares bindings that were missing and requests the events that were published meanwhile. Callers share one run.
   */
  readonly repair = onceAtATime(() => this.runRepair());

  private async runRepair(): Promise<void> {
    const { db, topology, queues } = this.deps;
    const missing = await db.query<MissingRow>(MISSING, [queues]);
    if (missing.length === 0) return;
    // The binding comes first: it delivers all later events, and the replay covers all earlier ones.
    await topology.declareBindings(missing);
    await db.transaction(async (tx) => {
      const rows = await tx.query<MissingRow>(TAKE_MISSING, [queues]);
      for (const group of byPublisher(rows)) await this.requestReplay(tx, group);
    });
  }

  private async requestReplay(tx: Transaction, group: readonly [MissingRow, ...MissingRow[]]): Promise<void> {
    const { publish, log, metrics } = this.deps;
    const [{ queue, publisher }] = group;
    const types = group.map(({ type }) => type);
    const earliest = Math.min(...group.map(({ missingSince }) => missingSince.getTime()));
    const since = new Date(earliest - MARGIN_MS).toISOString();
    const request = draft('messaging.replay_requested', {
      environment: null,
      merchantId: null,
      aggregateId: queue,
      sequence: 0,
      occurredAt: new Date(),
      data: { queue, types, since },
    });
    await publish(tx, [request], { queue: `${publisher}.control` });
    await tx.execute(REPAIRED, [queue, publisher, types]);
    tx.onCommit(() => {
      log.warn({ queue, publisher, types, since }, 'bindings.repaired');
      metrics.bindingsRepaired.inc({ queue }, types.length);
    });
  }
}

async function store(
  tx: Transaction,
  queue: QueueName,
  probes: readonly ProbedType[],
  probeEveryMs: number,
): Promise<boolean> {
  const publishers = SERVICES.filter((service) => probes.some(({ publisher }) => publisher === service));
  const rows = await tx.query<StateRow>(LOCK, [queue, publishers]);
  const changed = publishers.flatMap((publisher) => {
    const own = rows.filter((row) => row.publisher === publisher);
    const before = new Map(own.map((row) => [row.type, stateOf(row)]));
    const from = probes.filter((probe) => probe.publisher === publisher);
    const after = [...advance(before, from, takenFrom(queue, publisher), probeEveryMs)];
    return after
      .filter(([type, state]) => before.get(type) !== state)
      .map(([type, state]) => ({ publisher, type, state }));
  });
  if (changed.length === 0) return false;
  tx.enqueue(STORE, [
    queue,
    changed.map(({ publisher }) => publisher),
    changed.map(({ type }) => type),
    changed.map(({ state }) => state.seen),
    changed.map(({ state }) => `{${state.ahead.join(',')}}`),
    changed.map(({ state }) => state.sentAt),
    changed.map(({ state }) => state.publishedUntil),
    changed.map(({ state }) => state.missingSince ?? null),
    changed.map(({ state }) => state.repairedAt ?? null),
  ]);
  return changed.some(({ state }) => state.missingSince !== undefined);
}

function takenFrom(queue: QueueName, publisher: ServiceName): readonly string[] {
  return typesOf(queue).filter((type) => PUBLISHERS[type].includes(publisher));
}

function stateOf(row: StateRow): BindingState {
  return {
    seen: Number(row.seen),
    ahead: row.ahead.map(Number),
    sentAt: row.sent_at,
    publishedUntil: row.published_until,
    missingSince: row.missing_since ?? undefined,
    repairedAt: row.repaired_at ?? undefined,
  };
}

function byPublisher(rows: readonly MissingRow[]): [MissingRow, ...MissingRow[]][] {
  const groups = new Map<string, [MissingRow, ...MissingRow[]]>();
  for (const row of rows) {
    const key = `${row.queue} ${row.publisher}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()];
}
