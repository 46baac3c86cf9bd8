import type { Transaction } from '@pay/persistence';
import { changed, type MerchantRecord } from './domain/records';
import { lockMerchant } from './lock-record';
import { storeChange, type ChangeDeps } from './store-change';

export interface ChangeMerchantInput {
  readonly merchantId: string;
  readonly change: Partial<Pick<MerchantRecord, 'name' | 'isActive' | 'enabledMethods'>>;
}

/** Switching a merchant off takes all its API keys and devices along, wherever the copy of merchants is kept. */
export async function changeMerchant(
  deps: ChangeDeps,
  tx: Transaction,
  input: ChangeMerchantInput,
): Promise<MerchantRecord> {
  const before = await lockMerchant(tx, input.merchantId);
  const after = changed(before, input.change, deps.now());
  await storeChange(deps, tx, { kind: 'merchant', action: 'merchant.changed', before, after });
  return after;
}
