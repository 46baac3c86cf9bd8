import type { Transaction } from '@pay/persistence';
import { changeRecord } from '../changes/change-record';
import type { ChangeDeps } from '../changes/store-change';
import type { ReceiverAccountRecord } from '../domain/records';
import { refusedAsTaken } from './number-taken';
import { tellOfSharedNumber } from './tell-of-shared-number';

export async function setReceiverAccountActive(
  deps: ChangeDeps,
  tx: Transaction,
  { receiverAccountId, isActive }: { readonly receiverAccountId: string; readonly isActive: boolean },
): Promise<ReceiverAccountRecord> {
  const action = isActive ? 'receiver_account.switched_on' : 'receiver_account.switched_off';
  try {
    const account = await changeRecord(deps, tx, 'receiver_account', receiverAccountId, () => ({
      action,
      fields: { isActive },
    }));
    await tellOfSharedNumber(deps, tx, account);
    return account;
  } catch (error) {
    throw refusedAsTaken(error);
  }
}
