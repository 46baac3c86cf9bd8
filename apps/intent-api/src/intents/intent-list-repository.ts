import { referenceKey, type ListIntentsQuery, type Tenant } from '@pay/contracts';
import { statement, type Queryable, type Statement } from '@pay/persistence';
import type { StoredIntent } from '../domain/stored-intent';
import { intentColumnsOf, storedIntent, type IntentRow } from '../db/intent-row';

type Filter = 'status' | 'paymentMethod' | 'merchantReference' | 'customerReference' | 'createdFrom' | 'createdTo';
type Filters = Pick<ListIntentsQuery, Filter>;

/** By filter: an abbreviation for the statement name, and the condition. */
const CONDITIONS: Record<Filter, readonly [name: string, condition: (parameter: string) => string]> = {
  status: ['status', (parameter) => `status = ${parameter}`],
  paymentMethod: ['method', (parameter) => `payment_method = ${parameter}`],
  merchantReference: ['order', (parameter) => `merchant_reference = ${parameter}`],
  customerReference: ['reference', (parameter) => `reference_key = ${parameter}`],
  createdFrom: ['from', (parameter) => `created_at >= ${parameter}::timestamptz`],
  createdTo: ['to', (parameter) => `created_at <= ${parameter}::timestamptz`],
};
const FILTERS = Object.keys(CONDITIONS) as Filter[];
const COUNTED: readonly Filter[] = ['status', 'paymentMethod'];

function valueOf(filters: Filters, filter: Filter): unknown {
  return filter === 'customerReference' ? referenceKey(filters.customerReference ?? '') : filters[filter];
}

/**
 * Total and page come from one snapshot; the total is a sum of counters if the filters allow it. Ids of the page come
 * from an index alone, so that a distant page reads only its own rows.
 */
function listBy(given: readonly Filter[]): Statement {
  const conditions = given.map((filter, at) => CONDITIONS[filter][1](`$${at + 5}`));
  const condition = ['merchant_id = $1', 'environment = $2', ...conditions].join(' and ');
  const total = given.every((filter) => COUNTED.includes(filter))
    ? `select coalesce(sum(intents), 0) as total from intent_counters where ${condition}`
    : `select count(*) as total from payment_intents where ${condition}`;
  return statement(
    ['list-intents', ...given.map((filter) => CONDITIONS[filter][0])].join('-'),
    `with total as (${total}),
     page as (
       select id, created_at from payment_intents where ${condition}
       order by created_at desc, id desc limit $3 offset $4)
     select total.total, ${intentColumnsOf('intent')}
     from total left join (page join payment_intents as intent on intent.id = page.id) on true
     order by page.created_at desc, page.id desc`,
  );
}

const statements = new Map<string, Statement>();

function statementFor(given: readonly Filter[]): Statement {
  const key = given.join();
  const known = statements.get(key) ?? listBy(given);
  statements.set(key, known);
  return known;
}

export async function listOwnIntents(
  db: Queryable,
  { merchantId, environment }: Tenant,
  { page, limit, ...filters }: ListIntentsQuery,
): Promise<{ total: number; intents: StoredIntent[] }> {
  const given = FILTERS.filter((filter) => filters[filter] !== undefined);
  const values = [
    merchantId,
    environment,
    limit,
    (page - 1) * limit,
    ...given.map((filter) => valueOf(filters, filter)),
  ];
  const rows = await db.query<ListRow>(statementFor(given), values);
  return { total: Number(rows[0]?.total ?? 0), intents: rows.filter(isIntentRow).map(storedIntent) };
}

/** A page after the end has one row that contains only the total. */
type ListRow = { total: string } & (IntentRow | { id: null });

function isIntentRow(row: ListRow): row is { total: string } & IntentRow {
  return row.id !== null;
}
