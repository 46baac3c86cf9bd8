import type { Transaction } from '@pay/persistence';
import { tables } from '../db/tables';
import type { MerchantRecord, RecordKind, Records } from '../domain/records';
import { Refusal } from './refusal';

/** Throws if the record does not exist or is deleted. */
export async function lockRecord<Kind extends RecordKind>(
  tx: Transaction,
  kind: Kind,
  id: string,
): Promise<Records[Kind]> {
  const record = await tables[kind].lock(tx, id);
  if (record === undefined || record.deletedAt !== null)
    throw new Refusal(kind, `there is no ${kind.replace('_', ' ')} ${id}`, 'NOT_FOUND');
  return record;
}

/** Records of other merchants are NOT_FOUND. */
export async function lockOwn<Kind extends Exclude<RecordKind, 'merchant'>>(
  tx: Transaction,
  kind: Kind,
  id: string,
  merchantId: string,
): Promise<Records[Kind]> {
  const record = await lockRecord(tx, kind, id);
  if (record.merchantId !== merchantId)
    throw new Refusal(kind, `there is no ${kind.replace('_', ' ')} ${id}`, 'NOT_FOUND');
  return record;
}

/** The lock prevents the deletion of the merchant while a record is added. */
export function lockMerchant(tx: Transaction, id: string): Promise<MerchantRecord> {
  return lockRecord(tx, 'merchant', id);
}
