import { statement, type Queryable, type Transaction } from '@pay/persistence';
import type { DeviceLastSeen } from '../domain/receiver-online';

// In one order, so that two batches wait for each other instead of deadlocking. Events arrive in any order; the newest
// time is kept.
const NOTE = statement(
  'store-last-seen',
  `insert into device_sightings as known (device_id, seen_at, sends_heartbeat)
   select distinct on (device_id) device_id, seen_at, sends_heartbeat
   from unnest($1::uuid[], $2::timestamptz[], $3::boolean[]) as seen (device_id, seen_at, sends_heartbeat)
   order by device_id, seen_at desc
   on conflict (device_id) do update set seen_at = excluded.seen_at, sends_heartbeat = excluded.sends_heartbeat
   where known.seen_at < excluded.seen_at`,
);

/** Writes last-seen times with the transaction's COMMIT. */
export function storeLastSeen(tx: Transaction, devicesLastSeen: readonly DeviceLastSeen[]): void {
  if (devicesLastSeen.length === 0) return;
  tx.enqueue(NOTE, [
    devicesLastSeen.map(({ deviceId }) => deviceId),
    devicesLastSeen.map(({ seenAt }) => seenAt),
    devicesLastSeen.map(({ sendsHeartbeat }) => sendsHeartbeat),
  ]);
}

const FIND = statement(
  'find-last-seen',
  `select device_id as "deviceId", seen_at as "seenAt", sends_heartbeat as "sendsHeartbeat" from device_sightings
   where device_id = any($1::uuid[])`,
);

export function findLastSeen(db: Queryable, deviceIds: readonly string[]): Promise<DeviceLastSeen[]> {
  return db.query<DeviceLastSeen>(FIND, [deviceIds]);
}
