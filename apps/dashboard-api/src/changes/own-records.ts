import type { Environment, Page, PaymentMethod } from '@pay/contracts';
import { ApiError } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { tables } from '../db/tables';
import type { RecordKind, Records } from '../domain/records';

type OwnedKind = Exclude<RecordKind, 'merchant'>;

export interface RecordFilter {
  readonly merchantId: string;
  readonly environment?: Environment | undefined;
  readonly paymentMethod?: PaymentMethod | undefined;
}

const CONDITIONS = {
  merchantId: 'merchant_id =',
  environment: 'environment =',
  paymentMethod: 'payment_method =',
} as const satisfies Record<keyof RecordFilter, string>;

/** One of the merchant's own records; what is another merchant's does not exist. */
export async function findOwn<Kind extends OwnedKind>(
  db: Queryable,
  kind: Kind,
  id: string,
  merchantId: string,
): Promise<Records[Kind]> {
  const record = await tables[kind].find(db, 'id = $1 and merchant_id = $2 and deleted_at is null', [id, merchantId]);
  if (!record) throw new ApiError('NOT_FOUND');
  return record;
}

/** A page of the merchant's own records, newest first. */
export async function listOwn<Kind extends OwnedKind>(
  db: Queryable,
  kind: Kind,
  filter: RecordFilter,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<Page<Records[Kind]>> {
  const given = Object.entries(CONDITIONS).flatMap(([name, condition]) => {
    const value = filter[name as keyof RecordFilter];
    return value === undefined ? [] : [{ condition, value }];
  });
  const where = ['deleted_at is null', ...given.map(({ condition }, index) => `${condition} $${index + 1}`)].join(
    ' and ',
  );
  const values = given.map(({ value }) => value);
  const places = `limit $${given.length + 1} offset $${given.length + 2}`;
  const [total, data] = await Promise.all([
    tables[kind].count(db, where, values),
    tables[kind].list(db, `${where} order by id desc ${places}`, [...values, limit, (page - 1) * limit]),
  ]);
  return { data, total, page, limit };
}
