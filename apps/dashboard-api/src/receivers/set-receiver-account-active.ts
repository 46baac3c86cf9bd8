import type { Transaction } from '@pay/persistence';
import { changed, type ReceiverAccountRecord } from '../domain/records';
import { lockRecord } from '../changes/lock-record';
import { refusedAsTaken } from './number-taken';
import { storeChange, type ChangeDeps } from '../changes/store-change';

export interface SetReceiverAccountActiveInput {
  readonly receiverAccountId: string;
  readonly isActive: boolean;
}

export async function setReceiverAccountActive(
  deps: ChangeDeps,
  tx: Transaction,
  { receiverAccountId, isActive }: SetReceiverAccountActiveInput,
): Promise<ReceiverAccountRecord> {
  const before = await lockRecord(tx, 'receiver_account', receiverAccountId);
  const after = changed(before, { isActive }, deps.now());
  const action = isActive ? 'receiver_account.switched_on' : 'receiver_account.switched_off';
  try {
    await storeChange(deps, tx, { kind: 'receiver_account', action, before, after });
  } catch (error) {
    throw refusedAsTaken(error);
  }
  return after;
}
