import type { Transaction } from '@pay/persistence';
import { storeDeviceHeartbeats, type DeviceHeartbeat } from './device-last-seen-repository';

/**
 * Stores the heartbeats of many phones together; the last one per phone counts. Returns the database's time for each.
 */
export async function storeHeartbeats(tx: Transaction, heartbeats: readonly DeviceHeartbeat[]): Promise<Date[]> {
  const last = new Map(heartbeats.map((heartbeat) => [heartbeat.deviceId, heartbeat]));
  const at = await storeDeviceHeartbeats(tx, [...last.values()]);
  return heartbeats.map(() => at);
}
