import type { Transaction } from '@pay/persistence';
import { changed, type DeviceRecord } from './domain/records';
import { lockRecord } from './lock-record';
import { storeChange, type ChangeDeps } from './store-change';

export interface DisableDeviceInput {
  readonly deviceId: string;
  /** False lets it forward again. */
  readonly isDisabled: boolean;
}

export async function disableDevice(
  deps: ChangeDeps,
  tx: Transaction,
  { deviceId, isDisabled }: DisableDeviceInput,
): Promise<DeviceRecord> {
  const before = await lockRecord(tx, 'device', deviceId);
  const after = changed(before, { isDisabled }, deps.now());
  await storeChange(deps, tx, {
    kind: 'device',
    action: isDisabled ? 'device.disabled' : 'device.enabled',
    before,
    after,
  });
  return after;
}
