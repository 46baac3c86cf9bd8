import type { Probe } from '@pay/contracts';
import { arraysOf, statement, type Database } from '@pay/persistence';
import { failpoint, type TaskResult } from '@pay/runtime';
import { Unroutable } from '../errors';
import type { EventSender } from './event-sender';
import { HEADERS } from './message-format';
import type { Publisher } from './publisher';
import type { Timings } from '../timings';
import { takeTurn } from './turns';

/** Less than the seven days after which retention deletes events from the outbox. */
export const OLDEST_EVENT_DAYS = 6;
/**
 * With more pending events than this, the oldest pending event counts for every type: a look-up per type would cost one
 * per event.
 */
const MOST_PENDING = 10_000;
/** A gap of this many numbers cannot be caused by a slow replica. */
const SKIPPED = 3;
const RECENT_EVENTS = 5_000;

// Finds types whose first event was published by a process that ended before its next round.
const RECENT = statement(
  'probe-recent-events',
  `select distinct on (type) type, id from (
     select type, id, created_at from outbox where created_at > now() - interval '1 day' and target_queue is null
      order by created_at desc, seq desc limit $1) as recent
   order by type, created_at desc`,
);

const KEEP_EVENTS = statement(
  'probe-keep-events',
  `insert into probes (type, event_id) select * from unnest($1::text[], $2::uuid[])
   on conflict (type) do update set event_id = excluded.event_id where probes.event_id <> excluded.event_id`,
);

const PENDING = statement(
  'probe-pending',
  'select count(*)::int as pending from (select from outbox_pending limit $1) as counted',
);

const ROUND = statement(
  'probe-round',
  `with pending as (
     select outbox.type, min(outbox.created_at) as oldest from outbox_pending join outbox using (id)
      where not $2 group by outbox.type
   ), backlog as (
     select min(created_at) as oldest from outbox_pending where $2
   )
   select probes.type, (probes.number + 1)::text as number, outbox.id, outbox.routing_key as "routingKey", outbox.body,
          statement_timestamp() as "sentAt", least(statement_timestamp(), pending.oldest, backlog.oldest) as "publishedUntil"
     from probes join outbox on outbox.id = probes.event_id cross join backlog
          left join pending on pending.type = probes.type
    where outbox.created_at > now() - $1 * interval '1 day'
    order by probes.type`,
);

const SKIP_NUMBERS = statement(
  'probe-skip-numbers',
  'update probes set number = number + $2 where $1::text[] is null or type = any($1::text[])',
);

const CONFIRM = statement(
  'probe-confirm',
  `update probes set number = sent.number, confirmed_at = clock_timestamp()
     from unnest($1::text[], $2::bigint[]) as sent (type, number)
    where probes.type = sent.type and probes.number = sent.number - 1`,
);

interface RoundRow {
  readonly type: string;
  readonly number: string;
  readonly id: string;
  readonly routingKey: string;
  readonly body: string;
  readonly sentAt: Date;
  readonly publishedUntil: Date;
}

export interface ProberDeps {
  readonly db: Database;
  readonly publisher: Publisher;
  readonly sender: EventSender;
  readonly timings: Pick<Timings, 'probeEveryMs' | 'confirmTimeoutMs'>;
  readonly latest: ReadonlyMap<string, string>;
}

/**
 * Sends one published event of each type again as a probe, over the same bindings as all events. The number of a type
 * increases only after the broker confirmed its probe, so a consumer that misses a number had no binding.
 */
export class Prober {
  private knowsRecent = false;
  private readonly doubted = new Set<string>();
  private doubtsAll = false;

  constructor(private readonly deps: ProberDeps) {}

  /**
   * Call it when bindings of this type, or of all types, may have been missing for less than a round. Consumers then
   * see a gap in the numbers and request a replay.
   */
  doubt(type?: string): void {
    if (type === undefined) this.doubtsAll = true;
    else this.doubted.add(type);
  }

  /** Throws if no probe of the round was confirmed. */
  async runDue(): Promise<TaskResult> {
    const { db, publisher, timings } = this.deps;
    await this.skipDoubted();
    if (!publisher.isWritable) return 'done';
    if (!(await takeTurn(db, 'probe', timings.probeEveryMs))) return 'left_to_another_replica';
    await this.keepEvents();
    const [row] = await db.query<{ pending: number }>(PENDING, [MOST_PENDING]);
    const isBacklog = row?.pending === MOST_PENDING;
    const round = await db.query<RoundRow>(ROUND, [OLDEST_EVENT_DAYS, isBacklog]);
    if (round.length === 0) return 'done';
    const outcomes = await this.publish(round);
    const confirmed = round.filter((_, place) => outcomes[place]?.status === 'fulfilled');
    await failpoint('probes.after-confirm-before-number');
    await db.execute(CONFIRM, arraysOf(confirmed, 'type', 'number'));
    const failure = outcomes.find(({ status }) => status === 'rejected');
    if (confirmed.length === 0 && failure?.status === 'rejected') throw failure.reason;
    return 'done';
  }

  private async skipDoubted(): Promise<void> {
    const types = [...this.doubted];
    if (!this.doubtsAll && types.length === 0) return;
    await this.deps.db.execute(SKIP_NUMBERS, [this.doubtsAll ? null : types, SKIPPED]);
    this.doubtsAll = false;
    for (const type of types) this.doubted.delete(type);
  }

  private async keepEvents(): Promise<void> {
    const { db, latest } = this.deps;
    const found = new Map(latest);
    if (!this.knowsRecent) {
      const recent = await db.query<{ type: string; id: string }>(RECENT, [RECENT_EVENTS]);
      for (const { type, id } of recent) if (!found.has(type)) found.set(type, id);
      this.knowsRecent = true;
    }
    if (found.size > 0) await db.execute(KEEP_EVENTS, [[...found.keys()], [...found.values()]]);
  }

  /** In the order of the round. A type without a queue is returned and keeps its number. */
  private async publish(round: readonly RoundRow[]): Promise<PromiseSettledResult<void>[]> {
    const { publisher, sender, timings } = this.deps;
    // Less than a round, so that a queue that does not confirm delays only its own types.
    const timeoutMs = timings.confirmTimeoutMs / 3;
    const outcomes = await Promise.allSettled(
      round.map(async (row) => {
        const { id, type, routingKey } = row;
        const body = Buffer.from(this.bodyOf(row, round));
        const { headers, ...address } = sender.prepare({ type, routingKey, targetQueue: null }, body);
        const message = { ...address, id, type, body, headers: { ...headers, [HEADERS.probe]: 1 } };
        await publisher.confirmed(message, timeoutMs);
      }),
    );
    for (const [place, outcome] of outcomes.entries())
      if (outcome.status === 'rejected' && outcome.reason instanceof Unroutable) this.doubt(round[place]?.type);
    return outcomes;
  }

  private bodyOf({ type, number, body, sentAt, publishedUntil }: RoundRow, round: readonly RoundRow[]): string {
    const { sender } = this.deps;
    const publisher = sender.publisherOf(type);
    const sameSender = round.filter((other) => sender.publisherOf(other.type) === publisher);
    const probe: Probe = {
      publisher,
      number: Number(number),
      sentAt: sentAt.toISOString(),
      publishedUntil: publishedUntil.toISOString(),
      round: Object.fromEntries(sameSender.map((other) => [other.type, Number(other.number)])),
    };
    return JSON.stringify({ ...(JSON.parse(body) as object), probe });
  }
}
