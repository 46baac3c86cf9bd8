import type { Environment } from '@pay/contracts';
import { statement, type Queryable, type Transaction } from '@pay/persistence';

export interface SeenDevice {
  readonly deviceId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  /** How long ago, so that the time is the database's. */
  readonly ageMs: number;
  /** Whether it was a sign of life that comes by itself, and not an SMS. */
  readonly isHeartbeat: boolean;
}

// In one order, so that two replicas wait for each other instead of deadlocking. The newest sighting stays.
const NOTE = statement(
  'note-sightings',
  `insert into device_sightings as known (device_id, merchant_id, environment, seen_at, heartbeat_at)
   select device_id, merchant_id, environment, seen_at, case when is_heartbeat then seen_at end
   from (select device_id, merchant_id, environment, is_heartbeat, now() - age * interval '1 millisecond' as seen_at
         from unnest($1::uuid[], $2::uuid[], $3::text[], $4::float8[], $5::boolean[])
           as given (device_id, merchant_id, environment, age, is_heartbeat)) as seen
   order by device_id
   on conflict (device_id) do update set
     seen_at = greatest(known.seen_at, excluded.seen_at), heartbeat_at = greatest(known.heartbeat_at, excluded.heartbeat_at)`,
);

export async function noteSightings(db: Queryable, seen: readonly SeenDevice[]): Promise<void> {
  await db.execute(NOTE, [
    seen.map(({ deviceId }) => deviceId),
    seen.map(({ merchantId }) => merchantId),
    seen.map(({ environment }) => environment),
    seen.map(({ ageMs }) => ageMs),
    seen.map(({ isHeartbeat }) => isHeartbeat),
  ]);
}

export interface Sighting {
  readonly deviceId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly seenAt: Date;
  readonly sendsHeartbeat: boolean;
}

// What another replica is announcing at this moment is left to it.
const TAKE_UNANNOUNCED = statement(
  'take-unannounced-sightings',
  `update device_sightings set announced_at = now()
   where device_id in (
     select device_id from device_sightings
     where seen_at > announced_at and announced_at <= now() - $1::float8 * interval '1 millisecond'
     order by announced_at limit $2 for update skip locked)
   returning device_id as "deviceId", merchant_id as "merchantId", environment, seen_at as "seenAt",
     sends_heartbeat as "sendsHeartbeat"`,
);

/** Devices that were seen since they were last announced, of those whose announcement is long enough ago. They count as announced. */
export function takeUnannounced(tx: Transaction, intervalMs: number, most: number): Promise<Sighting[]> {
  return tx.query<Sighting>(TAKE_UNANNOUNCED, [intervalMs, most]);
}
