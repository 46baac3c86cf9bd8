import type { Transaction } from '@pay/persistence';
import { assertReceiversOf } from './assert-receivers-of';
import { changed, type DeviceRecord } from '../domain/records';
import { lockRecord } from '../changes/lock-record';
import { storeChange, type ChangeDeps } from '../changes/store-change';

export interface ChangeDeviceInput {
  readonly deviceId: string;
  readonly change: Partial<Pick<DeviceRecord, 'name' | 'sims'>>;
}

export async function changeDevice(
  deps: ChangeDeps,
  tx: Transaction,
  { deviceId, change }: ChangeDeviceInput,
): Promise<DeviceRecord> {
  const before = await lockRecord(tx, 'device', deviceId);
  if (change.sims) await assertReceiversOf(tx, before, change.sims);
  const after = changed(before, change, deps.now());
  await storeChange(deps, tx, { kind: 'device', action: 'device.changed', before, after });
  return after;
}
