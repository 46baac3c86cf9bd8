import { MOST_FOUND, MOST_SEARCHED_BY_AMOUNT, type SearchField, type Tenant } from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';
import type { StoredIntent } from '../domain/stored-intent';
import { intentColumnsOf, storedIntent, type IntentRow } from '../db/intent-row';

const OF_TENANT = 'merchant_id = $1 and environment = $2';

// Each part is an index look-up. An amount is searched only among the newest paid intents.
const SEARCH = statement(
  'search-intents',
  `with found as (
     select id, 'reference' as found_by from payment_intents where ${OF_TENANT} and reference_key = $3
     union all
     (select id, 'merchantReference' from payment_intents where ${OF_TENANT} and merchant_reference = $4
      order by created_at desc, id desc limit ${MOST_FOUND})
     union all
     select id, 'id' from payment_intents where id = any($5::uuid[]) and ${OF_TENANT}
     union all
     (select id, 'amount' from (
        select id, amount from payment_intents where ${OF_TENANT} and status = 'PAID' and $6::bigint is not null
        order by created_at desc, id desc limit ${MOST_SEARCHED_BY_AMOUNT}) as newest
      where amount = $6::bigint limit ${MOST_FOUND})
   )
   select found.found_by as "foundBy", ${intentColumnsOf('intent')} from found join payment_intents as intent on intent.id = found.id
   order by intent.created_at desc, intent.id desc`,
);

export interface Searched {
  readonly referenceKey: string;
  readonly text: string;
  readonly ids: readonly string[];
  readonly poisha: bigint | undefined;
}

/** May contain an intent twice. */
export async function searchIntents(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { referenceKey, text, ids, poisha }: Searched,
): Promise<{ readonly foundBy: SearchField; readonly stored: StoredIntent }[]> {
  const values = [merchantId, environment, referenceKey, text, ids, poisha?.toString() ?? null];
  const rows = await db.query<{ readonly foundBy: SearchField } & IntentRow>(SEARCH, values);
  return rows.map(({ foundBy, ...row }) => ({ foundBy, stored: storedIntent(row) }));
}
