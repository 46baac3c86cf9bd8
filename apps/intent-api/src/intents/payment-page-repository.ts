import { isUuid, MAX_COUNTED_PAYMENTS, referenceKey, type PaymentListQuery } from '@pay/contracts';
import { statement, type Queryable, type Statement } from '@pay/persistence';
import type { StoredIntent } from '../domain/stored-intent';
import { intentColumnsOf, storedIntent, type IntentRow } from '../db/intent-row';

type Filters = Omit<PaymentListQuery, 'limit' | 'environment' | 'after'>;
type Filter = keyof Filters;

export interface PaymentPageOfIntents {
  readonly total: number;
  readonly totalIsExact: boolean;
  readonly intents: readonly StoredIntent[];
  readonly nextCursor: string | null;
}

/** Each search term is looked up in an index, regardless of the other filters. */
const SEARCH = (parameter: string) => `id in (
  select id from payment_intents where merchant_id = $1 and environment = $2 and reference_key = (${parameter}::text[])[1]
  union all
  select id from payment_intents where merchant_id = $1 and environment = $2 and merchant_reference = (${parameter}::text[])[2]
  union all
  select (${parameter}::text[])[3]::uuid)`;

const CONDITIONS: Readonly<Record<Filter, (parameter: string) => string>> = {
  status: (parameter) => `status = ${parameter}`,
  paymentMethod: (parameter) => `payment_method = ${parameter}`,
  search: SEARCH,
  createdFrom: (parameter) => `created_at >= ${parameter}::timestamptz`,
  createdTo: (parameter) => `created_at <= ${parameter}::timestamptz`,
};
/** Abbreviations for statement names, which have at most 63 bytes. */
const SHORT: Readonly<Record<Filter, string>> = {
  status: 'status',
  paymentMethod: 'method',
  search: 'search',
  createdFrom: 'from',
  createdTo: 'to',
};
const FILTERS = Object.keys(CONDITIONS) as Filter[];
const COUNTED: readonly Filter[] = ['status', 'paymentMethod'];
const isCounted = (given: readonly Filter[]) => given.every((filter) => COUNTED.includes(filter));

function pageBy(given: readonly Filter[], hasCursor: boolean): Statement {
  const conditions = given.map((filter, at) => CONDITIONS[filter](`$${at + 4}`));
  const condition = ['merchant_id = $1', 'environment = $2', ...conditions].join(' and ');
  const total = isCounted(given)
    ? `select coalesce(sum(intents), 0) as total from intent_counters where ${condition}`
    : `select count(*) as total from (select from payment_intents where ${condition} limit ${MAX_COUNTED_PAYMENTS + 1}) as found`;
  const [time, id] = [`$${given.length + 4}`, `$${given.length + 5}`];
  const after = hasCursor
    ? `and (created_at, id) < (timestamptz 'epoch' + ${time}::bigint * interval '1 microsecond', ${id}::uuid)`
    : '';
  return statement(
    ['payment-page', ...given.map((filter) => SHORT[filter]), ...(hasCursor ? ['after'] : [])].join('-'),
    `with total as (${total}),
     page as (
       select id, created_at from payment_intents where ${condition} ${after}
       order by created_at desc, id desc limit $3)
     select total.total, (extract(epoch from intent.created_at) * 1000000)::bigint as created_us, ${intentColumnsOf('intent')}
     from total left join (page join payment_intents as intent on intent.id = page.id) on true
     order by page.created_at desc, page.id desc`,
  );
}

const statements = new Map<string, Statement>();

function statementFor(given: readonly Filter[], hasCursor: boolean): Statement {
  const key = [...given, hasCursor].join();
  const known = statements.get(key) ?? pageBy(given, hasCursor);
  statements.set(key, known);
  return known;
}

function valueOf(filters: Filters, filter: Filter): unknown {
  if (filter !== 'search') return filters[filter];
  const text = filters.search ?? '';
  return [referenceKey(text), text, isUuid(text) ? text : null];
}

/** Newest first. */
export async function pageOfIntents(
  db: Queryable,
  merchantId: string,
  { environment, limit, after, ...filters }: PaymentListQuery,
): Promise<PaymentPageOfIntents> {
  const given = FILTERS.filter((filter) => filters[filter] !== undefined);
  const values = [merchantId, environment, limit + 1, ...given.map((filter) => valueOf(filters, filter))];
  const rows = await db.query<PageRow>(statementFor(given, after !== undefined), [
    ...values,
    ...(after?.split('.') ?? []),
  ]);
  const total = Number(rows[0]?.total ?? 0);
  const found = rows.filter(isIntentRow);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    totalIsExact: isCounted(given) || total <= MAX_COUNTED_PAYMENTS,
    total: isCounted(given) ? total : Math.min(total, MAX_COUNTED_PAYMENTS),
    intents: shown.map(storedIntent),
    nextCursor: found.length > limit && last ? `${last.created_us}.${last.id}` : null,
  };
}

/** Without intents there is one row that contains only the total. */
type PageRow = { total: string } & (({ created_us: string } & IntentRow) | { id: null });

function isIntentRow(row: PageRow): row is { total: string; created_us: string } & IntentRow {
  return row.id !== null;
}
