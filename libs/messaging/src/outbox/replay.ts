import { eventsOf, type EventOf } from '@pay/contracts';
import { statement, type Database, type Transaction } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import { Unroutable } from '../errors';
import type { EventSender } from '../broker/event-sender';
import { withEpoch } from './outbox';
import type { Publisher } from '../broker/publisher';
import type { Timings } from '../timings';
import { isQueueName, typesOf } from '../broker/topology';

const BATCH = 500;
/** Rows of the outbox that one batch reads at most, however few of them are to be published. */
const STRETCH = 5_000;
/** With the 20 messages of the relay these are fewer than 32 per queue: see MOST_UNCONFIRMED in relay.ts. */
const MOST_REPLAYED_UNCONFIRMED = 10;
/** Lease of the process that publishes a batch; it expires when that process dies. */
const LEASE_SECONDS = 30;
const RETRY_SECONDS = 2;
const BUSY_SECONDS = 1;

// One open replay per queue: a further request restarts it from the earlier start time.
export const REQUEST_REPLAY = statement(
  'replay-request',
  `insert into outbox_replays (queue, types, since) values ($1, $2, $3)
   on conflict (queue) where finished_at is null do update
      set types = (select array_agg(distinct t) from unnest(outbox_replays.types || excluded.types) as t),
          since = least(outbox_replays.since, excluded.since), asked = outbox_replays.asked + 1,
          position_at = null, position_seq = null`,
);

const CLAIM = statement(
  'replay-claim',
  `update outbox_replays set next_run_at = now() + $1 * interval '1 second'
    where id = (select id from outbox_replays where finished_at is null and next_run_at <= now()
                 order by id limit 1 for update skip locked)
   returning id, queue, asked, types, since::text as since, position_at::text as position_at, position_seq`,
);

// Rows are read in the order of an index, which no result column may have the name of: ORDER BY would mean that column.
const STRETCH_END = statement(
  'replay-stretch-end',
  `select created_at::text as position_at, seq as position_seq from outbox
    where created_at >= $1::timestamptz and (created_at, seq) > ($2::timestamptz, $3::bigint)
    order by outbox.created_at, outbox.seq offset $4 limit 1`,
);

// A fixed past window can be read by position: rows that are not visible yet will be published normally after the queue
// exists. Unpublished rows are included, because they may have been published before it existed.
const READ = statement(
  'replay-read',
  `select id, type, routing_key, body, epoch, created_at::text as position_at, seq as position_seq from outbox
    where created_at >= $1::timestamptz and (created_at, seq) > ($2::timestamptz, $3::bigint)
      and (created_at, seq) <= ($4::timestamptz, $5::bigint)
      and type = any($6::text[]) and (target_queue is null or target_queue = $7)
    order by outbox.created_at, outbox.seq limit $8`,
);

// If another request arrived meanwhile, the replay restarts from its beginning.
const ADVANCE = statement(
  'replay-advance',
  `update outbox_replays set position_at = $3::timestamptz, position_seq = $4, published = published + $5,
          next_run_at = now() + $7 * interval '1 second', finished_at = case when $6 then now() end
    where id = $1 and asked = $2 and finished_at is null`,
);

const PUT_OFF = statement(
  'replay-put-off',
  `update outbox_replays set next_run_at = now() + $2 * interval '1 second' where id = $1`,
);

interface Position {
  readonly position_at: string;
  readonly position_seq: string;
}

interface ReplayRow {
  readonly id: string;
  readonly queue: string;
  readonly asked: number;
  readonly types: string[];
  readonly since: string;
  readonly position_at: string | null;
  readonly position_seq: string | null;
}

interface ReplayedRow extends Position {
  readonly id: string;
  readonly type: string;
  readonly routing_key: string;
  readonly body: string;
  readonly epoch: number | null;
}

export interface ReplayerDeps {
  readonly db: Database;
  readonly publisher: Publisher;
  readonly sender: EventSender;
  readonly timings: Pick<Timings, 'replayedPerSecond'>;
  readonly isBusy: (queue: string) => boolean;
  readonly log: Logger;
}

/** Publishes past events of some types again to one queue that was lost or is new. */
export class Replayer {
  constructor(private readonly deps: ReplayerDeps) {}

  /** Stores the replay requests among these events. The relay runs them after the commit. */
  async accept(tx: Transaction, events: readonly EventOf[]): Promise<void> {
    for (const { data } of eventsOf(events, 'messaging.replay_requested')) {
      const { queue } = data;
      if (!isQueueName(queue)) continue;
      // Only types that the queue receives and this service publishes: the broker would return all others repeatedly.
      const taken: readonly string[] = typesOf(queue);
      const types = data.types.filter((type) => taken.includes(type) && this.deps.sender.mayPublish(type));
      if (types.length > 0) await tx.execute(REQUEST_REPLAY, [queue, types, data.since]);
    }
  }

  /**
   * Runs due replays until none is left or the broker accepts nothing. A replay waits while live events to its queue
   * wait.
   */
  async runDue(signal: AbortSignal): Promise<void> {
    const { db, publisher, isBusy } = this.deps;
    while (!signal.aborted && publisher.isWritable) {
      const [replay] = await db.query<ReplayRow>(CLAIM, [LEASE_SECONDS]);
      if (replay === undefined) return;
      try {
        if (isBusy(replay.queue)) await db.execute(PUT_OFF, [replay.id, BUSY_SECONDS]);
        else await this.publishBatch(replay);
      } catch (error) {
        await db.execute(PUT_OFF, [replay.id, RETRY_SECONDS]);
        throw error;
      }
    }
  }

  private async publishBatch(replay: ReplayRow): Promise<void> {
    const { db, log, timings } = this.deps;
    const { rows, position } = await this.read(replay);
    const [first, ...others] = rows;
    try {
      // Sent alone, because the broker returns it if the queue does not exist.
      if (first !== undefined) await this.publish(replay.queue, first);
    } catch (error) {
      if (!(error instanceof Unroutable)) throw error;
      await db.execute(PUT_OFF, [replay.id, RETRY_SECONDS]);
      return;
    }
    const rest = others.values();
    const publishRest = async () => {
      for (const row of rest) await this.publish(replay.queue, row);
    };
    await Promise.all(Array.from({ length: MOST_REPLAYED_UNCONFIRMED }, publishRest));
    const reached = position ?? rows.at(-1) ?? replay;
    const finished = position === undefined;
    await db.execute(ADVANCE, [
      replay.id,
      replay.asked,
      reached.position_at,
      reached.position_seq,
      rows.length,
      finished,
      rows.length / timings.replayedPerSecond,
    ]);
    if (finished) log.info({ queue: replay.queue, types: replay.types.length }, 'replay.finished');
  }

  /** The position is absent after the last batch. */
  private async read({ since, position_at, position_seq, types, queue }: ReplayRow) {
    const { db } = this.deps;
    const start = [since, position_at ?? '-infinity', position_seq ?? '0'];
    const [end] = await db.query<Position>(STRETCH_END, [...start, STRETCH - 1]);
    const until = [end?.position_at ?? 'infinity', end?.position_seq ?? '0'];
    const rows = await db.query<ReplayedRow>(READ, [...start, ...until, types, queue, BATCH]);
    return { rows, position: rows.length === BATCH ? rows.at(-1) : end };
  }

  private async publish(
    queue: string,
    { id, type, routing_key: routingKey, body: text, epoch }: ReplayedRow,
  ): Promise<void> {
    const { publisher, sender } = this.deps;
    // A replayed event keeps the epoch in which it was written.
    const body = Buffer.from(withEpoch(text, epoch));
    await publisher.confirmed({ ...sender.prepare({ type, routingKey, targetQueue: queue }, body), id, type, body });
  }
}
