import { environmentSchema, type Environment } from '@pay/contracts';
import { rows, statement, type Queryable } from '@pay/persistence';

export interface SilenceSince {
  readonly deviceId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly seenAt: Date;
}

const COLUMNS = `device_id as "deviceId", merchant_id as "merchantId", environment, seen_at as "seenAt"`;
const IS_EXPECTED = 'not is_disabled and not merchant_is_off';
/** Maximum number of devices per round. One replica handles each device: devices locked by another are skipped. */
const MOST_AT_ONCE = 1_000;

/** Devices that were offline and have been seen again; each is returned once. */
export const markBack = rows<SilenceSince, [offlineSeconds: number]>(
  'mark-devices-back',
  `update device_sightings set offline_at = null, alerted_at = null
   where device_id in (
     select device_id from device_sightings
     where offline_at is not null and seen_at >= now() - $1::float8 * interval '1 second'
     limit $2 for update skip locked)
   returning ${COLUMNS}`,
  (offlineSeconds) => [offlineSeconds, MOST_AT_ONCE],
);

/** Devices that have become offline; each is returned once. */
export const markOffline = rows<SilenceSince, [offlineSeconds: number]>(
  'mark-devices-offline',
  `update device_sightings set offline_at = now()
   where device_id in (
     select device_id from device_sightings
     where sends_heartbeat and offline_at is null and ${IS_EXPECTED} and seen_at < now() - $1::float8 * interval '1 second'
     order by seen_at limit $2 for update skip locked)
   returning ${COLUMNS}`,
  (offlineSeconds) => [offlineSeconds, MOST_AT_ONCE],
);

/** Devices that are offline long enough for an alert; each is returned once. */
export const markAlerted = rows<SilenceSince, [alertSeconds: number]>(
  'mark-devices-alerted',
  `update device_sightings set alerted_at = now()
   where device_id in (
     select device_id from device_sightings
     where offline_at is not null and alerted_at is null and ${IS_EXPECTED} and seen_at < now() - $1::float8 * interval '1 second'
     limit $2 for update skip locked)
   returning ${COLUMNS}`,
  (alertSeconds) => [alertSeconds, MOST_AT_ONCE],
);

/** A phone that has been silent for longer is abandoned: only the alert of its merchant shows it. */
const ABANDONED_DAYS = 7;

// A device is marked offline after it was last seen, so the index on `offline_at` excludes abandoned ones.
const COUNT = statement(
  'count-devices-by-presence',
  `select environment, count(*)::int as online, 0 as silent from device_sightings
   where sends_heartbeat and offline_at is null and ${IS_EXPECTED} and seen_at >= now() - $1::float8 * interval '1 second'
   group by environment
   union all
   select environment, 0, count(*)::int from device_sightings
   where offline_at > now() - interval '${ABANDONED_DAYS} days' and seen_at > now() - interval '${ABANDONED_DAYS} days' and ${IS_EXPECTED}
   group by environment`,
);

export type Presences = Readonly<Record<Environment, { readonly online: number; readonly silent: number }>>;

/** Of the devices that send heartbeats and are not abandoned. */
export async function countPresences(db: Queryable, offlineSeconds: number): Promise<Presences> {
  const rows = await db.query<{ environment: Environment; online: number; silent: number }>(COUNT, [offlineSeconds]);
  const sum = (environment: Environment, what: 'online' | 'silent') =>
    rows.filter((row) => row.environment === environment).reduce((total, row) => total + row[what], 0);
  return Object.fromEntries(
    environmentSchema.options.map((each) => [each, { online: sum(each, 'online'), silent: sum(each, 'silent') }]),
  ) as Presences;
}
