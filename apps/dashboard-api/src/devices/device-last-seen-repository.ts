import type { DeviceSeen } from '@pay/contracts';
import { statement, type Queryable, type Transaction } from '@pay/persistence';

// Sorted, so that two batches cannot deadlock. Older times are ignored, and a clock that is ahead does not make a phone
// appear online for longer.
const NOTE = statement(
  'store-last-seen',
  `insert into device_sightings as known (device_id, seen_at, sends_heartbeat)
   select distinct on ("deviceId") "deviceId", least("seenAt", now()), "sendsHeartbeat"
   from jsonb_to_recordset($1::jsonb) as seen ("deviceId" uuid, "seenAt" timestamptz, "sendsHeartbeat" boolean)
   order by "deviceId", "seenAt" desc
   on conflict (device_id) do update set seen_at = excluded.seen_at, sends_heartbeat = excluded.sends_heartbeat
   where excluded.seen_at > known.seen_at`,
);
const FIND = statement(
  'find-last-seen',
  `select device_id as "deviceId", seen_at as "seenAt", sends_heartbeat as "sendsHeartbeat"
   from device_sightings where device_id = any ($1::uuid[])`,
);

export interface LastSeen {
  readonly seenAt: Date;
  readonly sendsHeartbeat: boolean;
}

export async function storeLastSeen(tx: Transaction, seen: readonly DeviceSeen[]): Promise<void> {
  if (seen.length > 0) await tx.execute(NOTE, [JSON.stringify(seen)]);
}

/** When each of these devices was last seen; devices that never were are missing. */
export async function lastSeenOf(db: Queryable, deviceIds: readonly string[]): Promise<ReadonlyMap<string, LastSeen>> {
  const rows = await db.query<LastSeen & { deviceId: string }>(FIND, [deviceIds]);
  return new Map(rows.map(({ deviceId, seenAt, sendsHeartbeat }) => [deviceId, { seenAt, sendsHeartbeat }]));
}
