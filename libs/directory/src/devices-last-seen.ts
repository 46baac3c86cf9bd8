import { eventsOf, type EventOf } from '@pay/contracts';
import { arraysOf, enqueuedRows, statement, type Queryable, type Transaction } from '@pay/persistence';

export interface DeviceLastSeen {
  readonly deviceId: string;
  readonly seenAt: Date;
  /** False for forwarders without heartbeats, whose silence has no meaning. */
  readonly sendsHeartbeat: boolean;
}

// Sorted, so that two batches cannot deadlock. Events arrive in any order; the newest time is kept.
const store = enqueuedRows(
  'store-last-seen',
  `insert into device_sightings as known (device_id, seen_at, sends_heartbeat)
   select distinct on (device_id) device_id, seen_at, sends_heartbeat
   from unnest($1::uuid[], $2::timestamptz[], $3::boolean[]) as seen (device_id, seen_at, sends_heartbeat)
   order by device_id, seen_at desc
   on conflict (device_id) do update set seen_at = excluded.seen_at, sends_heartbeat = excluded.sends_heartbeat
   where known.seen_at < excluded.seen_at`,
  (seen: readonly DeviceLastSeen[]) => arraysOf(seen, 'deviceId', 'seenAt', 'sendsHeartbeat'),
);

/** Enqueued: sent with COMMIT. */
export function storeLastSeen(tx: Transaction, events: readonly EventOf[], now: Date): void {
  const seen = eventsOf(events, 'device.seen').map(({ data }) => ({
    ...data,
    // A clock that is far ahead must not make a phone appear online for too long.
    seenAt: new Date(Math.min(Date.parse(data.seenAt), now.getTime())),
  }));
  store(tx, seen);
}

const FIND = statement(
  'find-last-seen',
  `select device_id as "deviceId", seen_at as "seenAt", sends_heartbeat as "sendsHeartbeat" from device_sightings
   where device_id = any($1::uuid[])`,
);

/** Devices that were never seen are missing. */
export async function findLastSeen(
  db: Queryable,
  devices: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, DeviceLastSeen>> {
  const rows = await db.query<DeviceLastSeen>(FIND, [devices.map(({ id }) => id)]);
  return new Map(rows.map((row) => [row.deviceId, row]));
}
