import { mayPublish, type EventType, type ServiceName } from '@pay/contracts';
import { command, rows, statement, type Queryable } from '@pay/persistence';
import { REQUEST_REPLAY } from './replay';
import { QUEUES, typesOf, type QueueName } from '../broker/topology';

export interface StoredEvent {
  readonly eventId: string;
  readonly aggregateId: string;
}

/** The outbox keeps events for seven days after publishing. */
export const findOutboxEvents = rows<
  StoredEvent,
  [wanted: { readonly types: readonly EventType[]; readonly aggregateIds: readonly string[]; readonly since: Date }]
>(
  'operator-find-events',
  `select id as "eventId", aggregate_id as "aggregateId" from outbox
   where created_at >= $1 and type = any($2::text[]) and aggregate_id = any($3::text[])`,
  (wanted) => [wanted.since, wanted.types, wanted.aggregateIds],
);

/** Marks outbox events for publishing again and returns their number. Consumers that have handled them ignore them. */
export const republishEvents = command<[eventIds: readonly string[]]>(
  'operator-republish',
  `insert into outbox_pending (id, next_try_at) select id, clock_timestamp() from outbox where id = any($1::uuid[])
   on conflict (id) do update set next_try_at = least(outbox_pending.next_try_at, excluded.next_try_at)`,
);

/**
 * Removes handled events from a consumer's inbox, for effects that were lost; returns their number. Safe only if every
 * effect of the consumer has a unique key.
 */
export const forgetReceivedEvents = command<[queue: QueueName, eventIds: readonly string[]]>(
  'operator-forget-events',
  'delete from inbox where consumer = $1 and message_id = any($2::uuid[])',
);

/** Requests are not replayed, because each repeat would cause another response. */
const REQUESTS: readonly EventType[] = [
  'messaging.replay_requested',
  'directory.resend_requested',
  'directory.resend_completed',
];

export interface ReplayRequest {
  readonly service: ServiceName;
  readonly since: Date;
  /** Default: every queue that receives events of the service. */
  readonly queue?: QueueName | undefined;
}

/** Requests that the running service publishes its events since a time again. Returns the affected queues. */
export async function requestReplays(db: Queryable, { service, since, queue }: ReplayRequest): Promise<QueueName[]> {
  const requested: QueueName[] = [];
  for (const each of queue === undefined ? QUEUES : [queue]) {
    const types = typesOf(each).filter((type) => mayPublish(service, type) && !REQUESTS.includes(type));
    if (types.length === 0) continue;
    await db.execute(REQUEST_REPLAY, [each, types, since]);
    requested.push(each);
  }
  return requested;
}

export interface ReplayProgress {
  readonly id: string;
  readonly queue: string;
  readonly since: Date;
  readonly published: number;
  readonly positionAt: Date | null;
  readonly finishedAt: Date | null;
  readonly stoppedAt: Date | null;
}

const STOP_REPLAY = statement(
  'operator-stop-replay',
  `update outbox_replays set finished_at = now(), stopped_at = now() where finished_at is null and queue = $1`,
);

/** Stops the open replay to a queue and returns whether there was one. Published events stay published. */
export async function stopReplay(db: Queryable, queue: QueueName): Promise<boolean> {
  return (await db.execute(STOP_REPLAY, [queue])) === 1;
}

/** Replays that are open or were finished within a day. */
export const listReplays = rows<ReplayProgress>(
  'operator-list-replays',
  `select id, queue, since, published::integer as published, position_at as "positionAt", finished_at as "finishedAt",
          stopped_at as "stoppedAt"
     from outbox_replays where finished_at is null or finished_at > now() - interval '1 day' order by outbox_replays.id`,
);
