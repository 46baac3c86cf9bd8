import type { Transaction } from '@pay/persistence';
import { storeDeviceHeartbeats, type DeviceHeartbeat } from './device-last-seen-repository';

/**
 * Writes the heartbeats of many phones at once; of several of one phone the last counts. Each is answered the time it
 * was.
 */
export async function storeHeartbeats(tx: Transaction, heartbeats: readonly DeviceHeartbeat[]): Promise<Date[]> {
  const last = new Map(heartbeats.map((heartbeat) => [heartbeat.deviceId, heartbeat]));
  const at = await storeDeviceHeartbeats(tx, [...last.values()]);
  return heartbeats.map(() => at);
}
