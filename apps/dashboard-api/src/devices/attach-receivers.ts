import type { Transaction } from '@pay/persistence';
import { assertReceiversOf } from './assert-receivers-of';
import { changed, type DeviceRecord } from '../domain/records';
import { withReceivers } from '../domain/sims';
import { lockRecord } from '../changes/lock-record';
import { storeChange, type ChangeDeps } from '../changes/store-change';

export interface AttachReceiversInput {
  readonly deviceId: string;
  /** Null for messages of any slot. */
  readonly simSlot: number | null;
  readonly receiverAccountIds: readonly string[];
}

/** From now on the device's messages may belong to these wallets too. */
export async function attachReceivers(
  deps: ChangeDeps,
  tx: Transaction,
  { deviceId, simSlot, receiverAccountIds }: AttachReceiversInput,
): Promise<DeviceRecord> {
  const before = await lockRecord(tx, 'device', deviceId);
  const sims = withReceivers(before.sims, simSlot, receiverAccountIds);
  await assertReceiversOf(tx, before, sims);
  const after = changed(before, { sims }, deps.now());
  await storeChange(deps, tx, { kind: 'device', action: 'device.receivers_attached', before, after });
  return after;
}
