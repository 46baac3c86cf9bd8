import type { DeviceLastSeen, Tenant } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { findLastSeen } from './device-last-seen-repository';

const NOTHING_SAID = {
  batteryPercent: null,
  isCharging: null,
  appVersion: null,
  queueDepth: null,
  lastSmsAt: null,
  simSlots: null,
};

/** The last contact of a phone of the tenant; null if it was never seen. */
export async function findDeviceLastSeen(
  { db }: { readonly db: Queryable },
  tenant: Tenant,
  deviceId: string,
): Promise<DeviceLastSeen> {
  const known = await findLastSeen(db, tenant, deviceId);
  if (known === undefined) return null;
  const { seenAt, sendsHeartbeat, heartbeatAt, facts } = known;
  const lastHeartbeat = heartbeatAt && { ...NOTHING_SAID, ...facts, at: heartbeatAt.toISOString() };
  return { deviceId, seenAt: seenAt.toISOString(), sendsHeartbeat, lastHeartbeat };
}
