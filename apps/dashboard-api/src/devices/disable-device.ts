import type { Transaction } from '@pay/persistence';
import { closePairingsOf } from './device-pairing-repository';
import { changed, type DeviceRecord } from '../domain/records';
import { lockRecord } from '../changes/lock-record';
import { storeChange, type ChangeDeps } from '../changes/store-change';

export interface DisableDeviceInput {
  readonly deviceId: string;
  /** False lets it forward again. */
  readonly isDisabled: boolean;
}

/** With the device goes the pairing that may be open for it. */
export async function disableDevice(
  deps: ChangeDeps,
  tx: Transaction,
  { deviceId, isDisabled }: DisableDeviceInput,
): Promise<DeviceRecord> {
  const before = await lockRecord(tx, 'device', deviceId);
  const now = deps.now();
  const after = changed(before, { isDisabled }, now);
  if (isDisabled) await closePairingsOf(tx, deviceId, now);
  await storeChange(deps, tx, {
    kind: 'device',
    action: isDisabled ? 'device.disabled' : 'device.enabled',
    before,
    after,
  });
  return after;
}
