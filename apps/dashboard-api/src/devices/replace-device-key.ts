import { hashKey } from '@pay/http';
import type { Transaction } from '@pay/persistence';
import { changeRecord } from '../changes/change-record';
import type { ChangeDeps } from '../changes/store-change';
import type { DeviceRecord } from '../domain/records';

/** The previous key is refused by all replicas within about a second. */
export function replaceDeviceKey(
  deps: ChangeDeps,
  tx: Transaction,
  { deviceId, deviceKey }: { deviceId: string; deviceKey: string },
): Promise<DeviceRecord> {
  const keyHash = hashKey(deviceKey);
  return changeRecord(deps, tx, 'device', deviceId, (before, now) => ({
    action: 'device.key_replaced',
    fields: keyHash === before.keyHash ? {} : { keyHash, pairedAt: now },
  }));
}
