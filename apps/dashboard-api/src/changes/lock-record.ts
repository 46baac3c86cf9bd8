import type { Transaction } from '@pay/persistence';
import { tables } from '../db/tables';
import type { MerchantRecord, RecordKind, Records } from '../domain/records';
import { Refusal } from './refusal';

/** The row for a change that is about to be decided; refuses what does not exist or is deleted. */
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

/** The same for a request of a user: records of another merchant are not found. */
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

/** The merchant to whom something is about to be added; the lock keeps it from being deleted meanwhile. */
export function lockMerchant(tx: Transaction, id: string): Promise<MerchantRecord> {
  return lockRecord(tx, 'merchant', id);
}
