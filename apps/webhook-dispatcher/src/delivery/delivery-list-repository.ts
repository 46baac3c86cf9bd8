import type { DeliveredEvent, DeliveryStatus, Tenant } from '@pay/contracts';
import { LAST_ID, statement, type Queryable, type Statement } from '@pay/persistence';

export interface ListedDelivery {
  readonly id: string;
  readonly endpointId: string;
  /** Null for a test. */
  readonly paymentIntentId: string | null;
  readonly eventType: DeliveredEvent;
  readonly status: DeliveryStatus;
  readonly attempt: number;
  readonly statusCode: number | null;
  readonly idempotencyKey: string;
  readonly deliveredAt: Date | null;
  readonly createdAt: Date;
}

export interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly eventType?: DeliveredEvent | undefined;
  readonly endpointId?: string | undefined;
  readonly paymentIntentId?: string | undefined;
}
type Filter = keyof DeliveryFilter;

export const LISTED_COLUMNS = `
  id, endpoint_id as "endpointId", payment_intent_id as "paymentIntentId", event_type as "eventType", status, attempt,
  status_code as "statusCode", idempotency_key as "idempotencyKey", delivered_at as "deliveredAt", created_at as "createdAt"`;

/** The condition on the endpoint includes its tenant, so that an index without the tenant can be used. */
const CONDITIONS: Readonly<Record<Filter, (parameter: string) => string>> = {
  status: (parameter) => `status = ${parameter}`,
  eventType: (parameter) => `event_type = ${parameter}`,
  endpointId: (parameter) =>
    `endpoint_id = (select id from endpoints where id = ${parameter} and merchant_id = $1 and environment = $2)`,
  paymentIntentId: (parameter) => `payment_intent_id = ${parameter}`,
};
const FILTERS = Object.keys(CONDITIONS) as Filter[];
/** Abbreviations for statement names, which have at most 63 bytes. */
const SHORT: Readonly<Record<Filter | 'open', string>> = {
  status: 'status',
  eventType: 'event',
  endpointId: 'endpoint',
  paymentIntentId: 'intent',
  open: 'open',
};
const nameOf = (beginning: string, given: Given) => [beginning, ...given.map((name) => SHORT[name])].join('-');

/** Adds `status <> 'DELIVERED'`, which the conditions imply, because the partial index requires it. */
type Given = readonly (Filter | 'open')[];

function givenIn(filter: DeliveryFilter): Given {
  const given: Given = FILTERS.filter((name) => filter[name] !== undefined);
  return filter.status !== undefined && filter.status !== 'DELIVERED' ? [...given, 'open'] : given;
}

function conditionsOf(given: Given, firstParameter: number): string[] {
  return given.map((name, at) =>
    name === 'open' ? `status <> 'DELIVERED'` : CONDITIONS[name](`$${firstParameter + at}`),
  );
}

const OF_TENANT = ['merchant_id = $1', 'environment = $2'];

/** All deliveries of an endpoint belong to its tenant. */
function from(given: Given, conditions: readonly string[]): string {
  return `from deliveries where ${[...(given.includes('endpointId') ? [] : OF_TENANT), ...conditions].join(' and ')}`;
}

/** Deliveries of one payment are counted directly, all others with stored counts. */
function totalOf(given: Given, firstParameter: number): string {
  const conditions = conditionsOf(given, firstParameter);
  if (given.includes('paymentIntentId')) return `select count(*)::int as total ${from(given, conditions)}`;
  const where = [...OF_TENANT, ...conditions].join(' and ');
  return `select coalesce(sum(deliveries), 0)::int as total from (
      select deliveries from delivery_counts where ${where}
      union all
      select deliveries from delivery_count_changes where ${where}) as counted`;
}

/**
 * One statement with the given filters alone, so that each combination uses its index, returns total and page from one
 * snapshot. The limit is at most what the total still has, so that the search ends with the last delivery that fits.
 */
function numberedPage(given: Given): Statement {
  return statement(
    nameOf('list-deliveries', given),
    `with total as (${totalOf(given, 5)}),
     page as (select id ${from(given, conditionsOf(given, 5))} order by id desc
       limit greatest(0, least($3::bigint, (select total from total) - $4::bigint)) offset $4)
     select total.total, listed.* from total left join (
       select ${LISTED_COLUMNS} from page join deliveries using (id)) as listed on true
     order by listed.id desc`,
  );
}

function pageAfter(given: Given): Statement {
  return statement(
    nameOf('deliveries-after', given),
    `with page as (
       select id ${from(given, ['id < $3', ...conditionsOf(given, 5)])} order by id desc limit $4)
     select ${LISTED_COLUMNS} from page join deliveries using (id) order by id desc`,
  );
}

const known = new Map<string, Statement>();

function statementOf(make: (given: Given) => Statement, given: Given): Statement {
  const key = [make.name, ...given].join();
  const made = known.get(key) ?? make(given);
  known.set(key, made);
  return made;
}

/** In the order of the parameters. */
const valuesOf = (filter: DeliveryFilter) => FILTERS.map((name) => filter[name]).filter((value) => value !== undefined);

/** Newest first. A page after the end contains only the total. */
export async function listDeliveryRows(
  db: Queryable,
  { merchantId, environment }: Tenant,
  filter: DeliveryFilter,
  { page, limit }: { page: number; limit: number },
): Promise<{ data: ListedDelivery[]; total: number }> {
  const rows = await db.query<{ total: number } & (ListedDelivery | { id: null })>(
    statementOf(numberedPage, givenIn(filter)),
    [merchantId, environment, limit, (page - 1) * limit, ...valuesOf(filter)],
  );
  const data = rows.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row]));
  return { data, total: rows[0]?.total ?? 0 };
}

/** Without a total. */
export function deliveryRowsAfter(
  db: Queryable,
  { merchantId, environment }: Tenant,
  filter: DeliveryFilter,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<ListedDelivery[]> {
  return db.query<ListedDelivery>(statementOf(pageAfter, givenIn(filter)), [
    ...[merchantId, environment, after ?? LAST_ID, limit],
    ...valuesOf(filter),
  ]);
}
