import { type Environment, type Page, type PaymentMethod, BusinessError } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { ownedTables, type OwnedKind } from '../db/tables';
import type { Records } from '../domain/records';

export interface RecordFilter {
  readonly merchantId: string;
  readonly environment?: Environment | undefined;
  readonly paymentMethod?: PaymentMethod | undefined;
}

/** Records of other merchants are NOT_FOUND. */
export async function findOwn<Kind extends OwnedKind>(
  db: Queryable,
  kind: Kind,
  id: string,
  merchantId: string,
): Promise<Records[Kind]> {
  const record = await ownedTables[kind].findBy(db, 'own', [id, merchantId]);
  if (!record) throw new BusinessError('NOT_FOUND');
  return record;
}

/** Newest first. */
export async function listOwn<Kind extends OwnedKind>(
  db: Queryable,
  kind: Kind,
  filter: RecordFilter,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<Page<Records[Kind]>> {
  const { data, total } = await ownedTables[kind].pageOf(db, { ...filter }, { limit, offset: (page - 1) * limit });
  return { data, total, page, limit };
}
