import type { Transaction } from '@pay/persistence';
import { changeRecord } from '../changes/change-record';
import type { ChangeDeps } from '../changes/store-change';
import type { DeviceRecord } from '../domain/records';
import { assertDeviceLimit } from './assert-device-limit';
import { closePairingsOf } from './device-pairing-repository';

/** Also closes an open pairing of the device. `isDisabled: false` enables the device again. */
export function disableDevice(
  deps: ChangeDeps,
  tx: Transaction,
  { deviceId, isDisabled }: { readonly deviceId: string; readonly isDisabled: boolean },
): Promise<DeviceRecord> {
  return changeRecord(deps, tx, 'device', deviceId, async (before, now) => {
    if (isDisabled) await closePairingsOf(tx, deviceId, now);
    else if (before.isDisabled) await assertDeviceLimit(tx, before);
    return { action: isDisabled ? 'device.disabled' : 'device.enabled', fields: { isDisabled } };
  });
}
