import type { Transaction } from '@pay/persistence';
import { changeRecord } from '../changes/change-record';
import type { ChangeDeps } from '../changes/store-change';
import type { DeviceRecord } from '../domain/records';
import { closePairingsOf } from './device-pairing-repository';

/** Also closes an open pairing of the device. `isDisabled: false` enables the device again. */
export function disableDevice(
  deps: ChangeDeps,
  tx: Transaction,
  { deviceId, isDisabled }: { readonly deviceId: string; readonly isDisabled: boolean },
): Promise<DeviceRecord> {
  return changeRecord(deps, tx, 'device', deviceId, async (_before, now) => {
    if (isDisabled) await closePairingsOf(tx, deviceId, now);
    return { action: isDisabled ? 'device.disabled' : 'device.enabled', fields: { isDisabled } };
  });
}
