import { isEventType, routingKey } from '@pay/contracts';
import { command, statement, type Database, type Transaction } from '@pay/persistence';
import { failpoint } from '@pay/runtime';
import type { Addressed } from '../broker/event-sender';
import type { EventDraft } from '../draft';
import { PUBLISHER_EPOCH } from './publisher-epoch';
import type { Timings } from '../timings';
import { queuesReceiving } from '../broker/topology';
import { currentTraceparent } from '../tracing';

/** Maximum number of events of one transaction that are kept in memory until COMMIT; a sweeper publishes the others. */
export const MOST_HANDED_OVER = 5_000;

export interface OutboxEntry extends Addressed {
  readonly id: string;
  /** As it is published, epoch included. */
  readonly body: string;
}

const INSERT = statement(
  'outbox-insert',
  `with written as (
     insert into outbox (id, type, routing_key, target_queue, aggregate_id, sequence, merchant_id, body, epoch)
     select id, type, routing_key, $1, aggregate_id, sequence, merchant_id, body, ${PUBLISHER_EPOCH}
       from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::uuid[], $9::text[])
            with ordinality as e (id, type, routing_key, aggregate_id, sequence, merchant_id, body, place)
      order by place
     returning epoch),
   pending as (
     insert into outbox_pending (id, next_try_at)
     select id, clock_timestamp() + $2 * interval '1 millisecond' from unnest($3::uuid[]) as id)
   select epoch from written limit 1`,
);

// Claiming an event moves its next try into the future, so the claim of a dead process expires.
const CLAIM = statement(
  'outbox-claim',
  `with due as (
     select id from outbox_pending where next_try_at <= clock_timestamp()
      order by next_try_at limit $1 for update skip locked
   ), claimed as (
     update outbox_pending set next_try_at = clock_timestamp() + $2 * interval '1 millisecond'
       from due where outbox_pending.id = due.id
     returning outbox_pending.id)
   select outbox.id, outbox.seq, outbox.type, outbox.routing_key, outbox.target_queue, outbox.body,
     outbox.epoch
     from claimed join outbox on outbox.id = claimed.id`,
);

const handedOver = new WeakMap<Transaction, number>();

/**
 * Writes events to the outbox in one statement that is sent with COMMIT. `handOver` receives them after COMMIT, up to
 * MOST_HANDED_OVER per transaction; without it nothing is kept in memory.
 */
export function writeOutbox(
  deps: {
    readonly timings: Pick<Timings, 'staleAfterMs'>;
    readonly handOver?: (entries: readonly OutboxEntry[]) => void;
  },
  tx: Transaction,
  drafts: readonly EventDraft[],
  targetQueue: string | null,
): void {
  if (drafts.length === 0) return;
  const traceparent = currentTraceparent();
  const entries = drafts.map((event) => toEntry(event, targetQueue, traceparent));
  const values = [
    targetQueue,
    deps.timings.staleAfterMs,
    entries.map((entry) => entry.id),
    entries.map((entry) => entry.type),
    entries.map((entry) => entry.routingKey),
    drafts.map((event) => event.aggregateId),
    drafts.map((event) => event.sequence),
    drafts.map((event) => event.merchantId),
    entries.map((entry) => entry.body),
  ];
  const { handOver } = deps;
  const all = (handedOver.get(tx) ?? 0) + entries.length;
  if (handOver === undefined || all > MOST_HANDED_OVER) {
    tx.enqueue(INSERT, values);
    return;
  }
  handedOver.set(tx, all);
  // The committing server provides the epoch: a pooler may keep a connection across a failover.
  tx.enqueue<{ epoch: number }>(INSERT, values, ([row]) => {
    void failpoint('outbox.after-commit-before-relay');
    handOver(entries.map((entry) => ({ ...entry, body: withEpoch(entry.body, row?.epoch ?? null) })));
  });
}

function toEntry(event: EventDraft, targetQueue: string | null, traceparent: string | undefined): OutboxEntry {
  if (!isEventType(event.type)) throw new TypeError('an event of an unknown type');
  // The broker would refuse it and close the channel.
  if (targetQueue !== null && !queuesReceiving(event.type).some((queue) => queue === targetQueue)) {
    throw new RangeError(`${targetQueue} does not take ${event.type}`);
  }
  const body = JSON.stringify(traceparent === undefined ? event : { ...event, traceparent });
  return { id: event.id, type: event.type, routingKey: routingKey(event.type), targetQueue, body };
}

/**
 * The published body of an event, with the epoch of its row as the first field. Rows of the previous version have no
 * epoch.
 */
export function withEpoch(body: string, epoch: number | null): string {
  return epoch === null ? body : `{"epoch":${epoch},${body.slice(1)}`;
}

interface ClaimedRow {
  readonly id: string;
  readonly seq: string;
  readonly type: string;
  readonly routing_key: string;
  readonly target_queue: string | null;
  readonly body: string;
  readonly epoch: number | null;
}

/** Overdue unpublished events, oldest first. Other sweepers skip them for `claimMs`. */
export async function claimStale(db: Database, limit: number, claimMs: number): Promise<OutboxEntry[]> {
  const rows = await db.query<ClaimedRow>(CLAIM, [limit, claimMs]);
  return rows
    .sort((one, other) => Number(BigInt(one.seq) - BigInt(other.seq)))
    .map((row) => ({
      id: row.id,
      type: row.type,
      routingKey: row.routing_key,
      targetQueue: row.target_queue,
      body: withEpoch(row.body, row.epoch),
    }));
}

export const markPublished = command<[ids: readonly string[]]>(
  'outbox-mark',
  'delete from outbox_pending where id = any($1::uuid[])',
);

/** Returns events to the sweeper, with a delay that grows with the number of failures. */
export const putOff = command(
  'outbox-put-off',
  `update outbox_pending set tries = tries + 1, last_error = $2,
          next_try_at = clock_timestamp() + least(300, $3 * 2 ^ least(tries, 20)) * interval '1 second'
    where id = any($1::uuid[])`,
  (ids: readonly string[], reason: string, firstWaitMs: number) => [ids, reason, firstWaitMs / 1000],
);
