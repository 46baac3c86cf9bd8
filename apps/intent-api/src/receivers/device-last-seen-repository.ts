import { arraysOf, enqueuedRows, statement, type Queryable } from '@pay/persistence';

/** Sent with COMMIT. Events arrive in any order; the newest time is kept. */
export const storeLastSeen = enqueuedRows(
  'store-last-seen',
  // Sorted, so that two batches wait for each other instead of deadlocking.
  `insert into device_sightings as known (device_id, seen_at)
   select device_id, max(seen_at) from unnest($1::uuid[], $2::timestamptz[]) as seen (device_id, seen_at)
   group by device_id order by device_id
   on conflict (device_id) do update set seen_at = excluded.seen_at where known.seen_at < excluded.seen_at`,
  (seen: readonly DeviceLastSeen[]) => arraysOf(seen, 'deviceId', 'seenAt'),
);

export interface DeviceLastSeen {
  readonly deviceId: string;
  readonly seenAt: string;
}

const FIND = statement(
  'find-last-seen',
  'select device_id from device_sightings where device_id = any($1::uuid[]) and seen_at >= $2',
);

export async function findSeenSince(db: Queryable, deviceIds: readonly string[], since: Date): Promise<Set<string>> {
  const rows = await db.query<{ device_id: string }>(FIND, [deviceIds, since]);
  return new Set(rows.map((row) => row.device_id));
}
