import type { Transaction } from '@pay/persistence';
import { changeRecord } from '../changes/change-record';
import type { ChangeDeps } from '../changes/store-change';
import type { DeviceRecord } from '../domain/records';
import { withReceivers } from '../domain/sims';
import { assertReceiversOf } from './assert-receivers-of';

export interface AttachReceiversInput {
  readonly deviceId: string;
  /** Null for messages of any slot. */
  readonly simSlot: number | null;
  readonly receiverAccountIds: readonly string[];
}

export function attachReceivers(
  deps: ChangeDeps,
  tx: Transaction,
  { deviceId, simSlot, receiverAccountIds }: AttachReceiversInput,
): Promise<DeviceRecord> {
  return changeRecord(deps, tx, 'device', deviceId, async (before) => {
    const sims = withReceivers(before.sims, simSlot, receiverAccountIds);
    await assertReceiversOf(tx, before, sims);
    return { action: 'device.receivers_attached', fields: { sims } };
  });
}
