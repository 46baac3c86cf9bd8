import { statement, type Queryable } from '@pay/persistence';

const NAMES = statement(
  'names-of-people',
  `select u.id, u.name from users u join memberships p on p.user_id = u.id where u.id = any($1::uuid[]) and p.merchant_id = $2`,
);

/** What people of a merchant are called, also of those who are gone. */
export async function namesOf(
  db: Queryable,
  merchantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; name: string }>(NAMES, [ids, merchantId]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
