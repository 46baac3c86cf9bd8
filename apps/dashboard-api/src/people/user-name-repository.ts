import { rows, type Queryable } from '@pay/persistence';

const names = rows<{ readonly id: string; readonly name: string }, [ids: readonly string[], merchantId: string]>(
  'names-of-people',
  `select u.id, u.name from users u join memberships p on p.user_id = u.id where u.id = any($1::uuid[]) and p.merchant_id = $2`,
);

/** Includes former members. */
export async function namesOf(
  db: Queryable,
  merchantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  return new Map((await names(db, ids, merchantId)).map(({ id, name }) => [id, name]));
}
