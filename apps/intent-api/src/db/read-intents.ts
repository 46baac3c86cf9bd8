import type { Tenant } from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';
import type { StoredIntent } from '../domain/stored-intent';
import { INTENT_COLUMNS, storedIntent, type IntentRow } from './intent-row';

const FIND = statement('find-intent', `select ${INTENT_COLUMNS} from payment_intents where id = $1`);
const FIND_OWN = statement(
  'find-own-intent',
  `select ${INTENT_COLUMNS} from payment_intents where id = $1 and merchant_id = $2 and environment = $3`,
);

export async function findIntent(db: Queryable, id: string): Promise<StoredIntent | undefined> {
  const [row] = await db.query<IntentRow>(FIND, [id]);
  return row && storedIntent(row);
}

export async function findOwnIntent(
  db: Queryable,
  { merchantId, environment }: Tenant,
  id: string,
): Promise<StoredIntent | undefined> {
  const [row] = await db.query<IntentRow>(FIND_OWN, [id, merchantId, environment]);
  return row && storedIntent(row);
}
