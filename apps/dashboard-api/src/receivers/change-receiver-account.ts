import type { Transaction } from '@pay/persistence';
import { changeRecord } from '../changes/change-record';
import type { ChangeDeps } from '../changes/store-change';
import type { ReceiverAccountRecord } from '../domain/records';

export interface ChangeReceiverAccountInput {
  readonly receiverAccountId: string;
  readonly change: Partial<Pick<ReceiverAccountRecord, 'label' | 'limits'>>;
}

export function changeReceiverAccount(
  deps: ChangeDeps,
  tx: Transaction,
  { receiverAccountId, change }: ChangeReceiverAccountInput,
): Promise<ReceiverAccountRecord> {
  return changeRecord(deps, tx, 'receiver_account', receiverAccountId, () => ({
    action: 'receiver_account.changed',
    fields: change,
  }));
}
