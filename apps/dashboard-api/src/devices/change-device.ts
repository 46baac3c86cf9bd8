import type { Transaction } from '@pay/persistence';
import { changeRecord } from '../changes/change-record';
import type { ChangeDeps } from '../changes/store-change';
import type { DeviceRecord } from '../domain/records';
import { assertReceiversOf } from './assert-receivers-of';

export function changeDevice(
  deps: ChangeDeps,
  tx: Transaction,
  { deviceId, change }: { readonly deviceId: string; readonly change: Partial<Pick<DeviceRecord, 'name' | 'sims'>> },
): Promise<DeviceRecord> {
  return changeRecord(deps, tx, 'device', deviceId, async (before) => {
    if (change.sims) await assertReceiversOf(tx, before, change.sims);
    return { action: 'device.changed', fields: change };
  });
}
