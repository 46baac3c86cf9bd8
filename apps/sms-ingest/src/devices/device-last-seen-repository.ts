import type { Environment, HeartbeatFacts, Tenant } from '@pay/contracts';
import { arraysOf, command, enqueued, firstRow, inTransaction, statement, type Transaction } from '@pay/persistence';

export interface SeenDevice {
  readonly deviceId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  /** The age, so that the time is computed by the database's clock. */
  readonly ageMs: number;
  /** Whether it was a heartbeat and not an SMS. */
  readonly isHeartbeat: boolean;
}

// In a fixed order, so that two replicas cannot deadlock. The newest time is kept.
export const storeLastSeen = command(
  'store-last-seen',
  `insert into device_sightings as known (device_id, merchant_id, environment, seen_at, heartbeat_at)
   select device_id, merchant_id, environment, seen_at, case when is_heartbeat then seen_at end
   from (select device_id, merchant_id, environment, is_heartbeat, now() - age * interval '1 millisecond' as seen_at
         from unnest($1::uuid[], $2::uuid[], $3::text[], $4::float8[], $5::boolean[])
           as given (device_id, merchant_id, environment, age, is_heartbeat)) as seen
   order by device_id
   on conflict (device_id) do update set
     seen_at = greatest(known.seen_at, excluded.seen_at), heartbeat_at = greatest(known.heartbeat_at, excluded.heartbeat_at)`,
  (seen: readonly SeenDevice[]) => arraysOf(seen, 'deviceId', 'merchantId', 'environment', 'ageMs', 'isHeartbeat'),
);

export interface UnannouncedDevice {
  readonly deviceId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly seenAt: Date;
  readonly sendsHeartbeat: boolean;
}

/** Devices that were seen since their last publication, if that is long enough ago. They count as published. */
export const takeUnannounced = inTransaction.rows<UnannouncedDevice, [intervalMs: number, most: number]>(
  'take-unannounced-devices',
  // Skips devices that another replica is publishing.
  `update device_sightings set announced_at = now()
   where device_id in (
     select device_id from device_sightings
     where seen_at > announced_at and announced_at <= now() - $1::float8 * interval '1 millisecond'
     order by announced_at limit $2 for update skip locked)
   returning device_id as "deviceId", merchant_id as "merchantId", environment, seen_at as "seenAt",
     sends_heartbeat as "sendsHeartbeat"`,
);

export interface DeviceHeartbeat {
  readonly deviceId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly facts: HeartbeatFacts;
}

const STORE_HEARTBEATS = statement(
  'store-heartbeats',
  `insert into device_sightings as known (device_id, merchant_id, environment, seen_at, heartbeat_at, heartbeat)
   select device_id, merchant_id, environment, now(), now(), facts
   from jsonb_to_recordset($1::jsonb) as given (device_id uuid, merchant_id uuid, environment text, facts jsonb)
   order by device_id
   on conflict (device_id) do update set seen_at = greatest(known.seen_at, excluded.seen_at),
     heartbeat_at = greatest(known.heartbeat_at, excluded.heartbeat_at), heartbeat = excluded.heartbeat
   returning now() as at`,
);

/** Stores at most one heartbeat per device and returns the database's time. */
export async function storeDeviceHeartbeats(tx: Transaction, heartbeats: readonly DeviceHeartbeat[]): Promise<Date> {
  const rows = heartbeats.map(({ deviceId, merchantId, environment, facts }) => ({
    device_id: deviceId,
    merchant_id: merchantId,
    environment,
    facts,
  }));
  const [first] = await tx.query<{ at: Date }>(STORE_HEARTBEATS, [JSON.stringify(rows)]);
  if (first === undefined) throw new Error('no heartbeat was stored');
  return first.at;
}

export interface LastSeen {
  readonly seenAt: Date;
  readonly sendsHeartbeat: boolean;
  readonly heartbeatAt: Date | null;
  /** Null if it sends no heartbeats. */
  readonly facts: HeartbeatFacts | null;
}

export const findLastSeen = firstRow<LastSeen, [tenant: Tenant, deviceId: string]>(
  'find-last-seen',
  `select seen_at as "seenAt", sends_heartbeat as "sendsHeartbeat", heartbeat_at as "heartbeatAt", heartbeat as facts
   from device_sightings where device_id = $1 and merchant_id = $2 and environment = $3`,
  (tenant, deviceId) => [deviceId, tenant.merchantId, tenant.environment],
);

export interface Silenced {
  readonly id: string;
  readonly isOff: boolean;
}

/** Marks devices whose silence is expected, for example disabled ones. */
export const setDisabled = enqueued(
  'set-devices-disabled',
  `update device_sightings as known set is_disabled = given.is_disabled
   from unnest($1::uuid[], $2::boolean[]) as given (device_id, is_disabled)
   where known.device_id = given.device_id and known.is_disabled <> given.is_disabled`,
  (devices: readonly Silenced[]) => arraysOf(devices, 'id', 'isOff'),
);

/** Marks merchants whose devices are expected to be silent. */
export const setMerchantOff = enqueued(
  'set-devices-merchant-off',
  `update device_sightings as known set merchant_is_off = given.is_off
   from unnest($1::uuid[], $2::boolean[]) as given (merchant_id, is_off)
   where known.merchant_id = given.merchant_id and known.merchant_is_off <> given.is_off`,
  (merchants: readonly Silenced[]) => arraysOf(merchants, 'id', 'isOff'),
);
