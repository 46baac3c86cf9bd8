import type { IntentStatus, Tenant } from '@pay/contracts';
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

// Count and page come from one statement, so that they show one moment.
const list = (name: string, filter: string) =>
  statement(
    name,
    `with total as (select count(*) as total from payment_intents where merchant_id = $1 and environment = $2 ${filter})
     select total.total, page.* from total left join (
       select ${INTENT_COLUMNS} from payment_intents where merchant_id = $1 and environment = $2 ${filter}
       order by created_at desc, id desc limit $3 offset $4
     ) page on true
     order by page.created_at desc, page.id desc`,
  );
const LIST = list('list-intents', '');
const LIST_BY_STATUS = list('list-intents-by-status', 'and status = $5');

export interface ListQuery {
  readonly status?: IntentStatus | undefined;
  readonly page: number;
  readonly limit: number;
}

export async function listOwnIntents(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { status, page, limit }: ListQuery,
): Promise<{ total: number; intents: StoredIntent[] }> {
  const values = [merchantId, environment, limit, (page - 1) * limit];
  const rows = await (status === undefined
    ? db.query<ListRow>(LIST, values)
    : db.query<ListRow>(LIST_BY_STATUS, [...values, status]));
  return { total: Number(rows[0]?.total ?? 0), intents: rows.filter(isIntentRow).map(storedIntent) };
}

/** A page past the end is one row that holds the total alone. */
type ListRow = { total: string } & (IntentRow | { id: null });

function isIntentRow(row: ListRow): row is { total: string } & IntentRow {
  return row.id !== null;
}
