import { hashKey } from '@pay/http';
import type { Transaction } from '@pay/persistence';
import { changed, type DeviceRecord } from '../domain/records';
import { lockRecord } from '../changes/lock-record';
import { storeChange, type ChangeDeps } from '../changes/store-change';

/** The former key stops working everywhere in about a second. */
export async function replaceDeviceKey(
  deps: ChangeDeps,
  tx: Transaction,
  { deviceId, deviceKey }: { deviceId: string; deviceKey: string },
): Promise<DeviceRecord> {
  const before = await lockRecord(tx, 'device', deviceId);
  const keyHash = hashKey(deviceKey);
  if (keyHash === before.keyHash) return before;
  const now = deps.now();
  const after = changed(before, { keyHash, pairedAt: now }, now);
  await storeChange(deps, tx, { kind: 'device', action: 'device.key_replaced', before, after });
  return after;
}
