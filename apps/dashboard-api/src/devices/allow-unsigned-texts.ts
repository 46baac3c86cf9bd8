import type { Transaction } from '@pay/persistence';
import { changeRecord } from '../changes/change-record';
import type { ChangeDeps } from '../changes/store-change';
import type { DeviceRecord } from '../domain/records';

export interface AllowUnsignedTextsInput {
  readonly deviceId: string;
  /** False: LIVE refuses them. */
  readonly isAllowed: boolean;
  readonly reason?: string | undefined;
}

export function allowUnsignedTexts(
  deps: ChangeDeps,
  tx: Transaction,
  { deviceId, isAllowed, reason }: AllowUnsignedTextsInput,
): Promise<DeviceRecord> {
  const action = isAllowed ? 'device.unsigned_texts_allowed' : 'device.unsigned_texts_refused';
  const change = { action, fields: { allowsUnsignedTexts: isAllowed }, reason };
  return changeRecord(deps, tx, 'device', deviceId, () => change);
}
