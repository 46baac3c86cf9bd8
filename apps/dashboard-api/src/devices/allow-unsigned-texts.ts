import type { Transaction } from '@pay/persistence';
import { changed, type DeviceRecord } from '../domain/records';
import { lockRecord } from '../changes/lock-record';
import { storeChange, type ChangeDeps } from '../changes/store-change';

export interface AllowUnsignedTextsInput {
  readonly deviceId: string;
  /** False: LIVE refuses them again. */
  readonly isAllowed: boolean;
  /** Why, for the audit log. */
  readonly reason?: string | undefined;
}

/** Whether LIVE accepts texts that the forwarder app of a device did not sign. */
export async function allowUnsignedTexts(
  deps: ChangeDeps,
  tx: Transaction,
  { deviceId, isAllowed, reason }: AllowUnsignedTextsInput,
): Promise<DeviceRecord> {
  const before = await lockRecord(tx, 'device', deviceId);
  const after = changed(before, { allowsUnsignedTexts: isAllowed }, deps.now());
  const action = isAllowed ? 'device.unsigned_texts_allowed' : 'device.unsigned_texts_refused';
  await storeChange(deps, tx, { kind: 'device', action, before, after, reason });
  return after;
}
