import type { Transaction } from '@pay/persistence';
import { changed, type ReceiverAccountRecord } from '../domain/records';
import { lockRecord } from '../changes/lock-record';
import { storeChange, type ChangeDeps } from '../changes/store-change';

export interface ChangeReceiverAccountInput {
  readonly receiverAccountId: string;
  readonly change: Partial<Pick<ReceiverAccountRecord, 'label' | 'limits'>>;
}

export async function changeReceiverAccount(
  deps: ChangeDeps,
  tx: Transaction,
  { receiverAccountId, change }: ChangeReceiverAccountInput,
): Promise<ReceiverAccountRecord> {
  const before = await lockRecord(tx, 'receiver_account', receiverAccountId);
  const after = changed(before, change, deps.now());
  await storeChange(deps, tx, { kind: 'receiver_account', action: 'receiver_account.changed', before, after });
  return after;
}
