import { statement, type Queryable } from '@pay/persistence';
import type { StoredIntent } from '../domain/stored-intent';
import { INTENT_COLUMNS, storedIntent, type IntentRow } from '../db/intent-row';

const FIND = statement('find-intent', `select ${INTENT_COLUMNS} from payment_intents where id = $1`);
const FIND_MANY = statement('find-intents', `select ${INTENT_COLUMNS} from payment_intents where id = any($1::uuid[])`);

export async function findIntent(db: Queryable, id: string): Promise<StoredIntent | undefined> {
  const [row] = await db.query<IntentRow>(FIND, [id]);
  return row && storedIntent(row);
}

/** The existing intents among these ids, of any tenant, in any order. */
export async function findIntents(db: Queryable, ids: readonly string[]): Promise<StoredIntent[]> {
  return (await db.query<IntentRow>(FIND_MANY, [ids])).map(storedIntent);
}
