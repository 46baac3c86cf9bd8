import { exceptionKindSchema, MAX_COUNTED_EXCEPTIONS, type ExceptionListQuery } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { exceptionRows, type ExceptionRow } from './exception-repository';

/** Time after which waiting money is shown for review. The match window is longer. */
const WAITS_FOR_ITS_INTENT = "interval '15 minutes'";
/**
 * Maximum number of entries per queue that one request scans for conditions without an index. The next page continues
 * there.
 */
const MOST_LOOKED_AT = 10_000;

type Filter = Omit<ExceptionListQuery, 'page' | 'limit'> & { readonly merchantId: string };

export interface PageSize {
  readonly limit: number;
  readonly offset: number;
}

export interface FoundPage {
  readonly rows: readonly ExceptionRow[];
  readonly total: number;
  readonly totalIsExact: boolean;
  /** Cursor of the next page; null at the end. */
  readonly nextCursor: string | null;
}

/**
 * One page ordered by age. Each queue is read along the index of its most selective condition; other conditions are
 * filtered in bounded steps, so that every item is reachable and no request reads more than its limit.
 */
export async function pageOfExceptions(db: Queryable, filter: Filter, size: PageSize): Promise<FoundPage> {
  const walk = walkOf(filter);
  const [[counted], { ids, nextCursor }] = await Promise.all([
    db.query<{ total: number; cut: boolean }>(countingOf(walk), walk.values.slice(0, walk.counted)),
    size.offset < MAX_COUNTED_EXCEPTIONS ? findIds(db, walk, size) : { ids: [], nextCursor: null },
  ]);
  const { total = 0, cut = false } = counted ?? {};
  return {
    rows: await exceptionRows(db, ids),
    total: Math.min(total, MAX_COUNTED_EXCEPTIONS),
    totalIsExact: total <= MAX_COUNTED_EXCEPTIONS && !cut,
    nextCursor,
  };
}

interface Walk {
  readonly values: readonly unknown[];
  /** The first parameters select items; the others are the cursor. */
  readonly counted: number;
  /** The queue's items in order from the cursor, with the conditions without an index as `fits`. */
  readonly text: (most: number, isFromCursor: boolean) => string;
  readonly isNarrowed: boolean;
  readonly order: string;
}

const QUEUES = `with queues as (
  select environment, queue from unnest($2::text[]) as environment cross join unnest($3::text[]) as queue) `;

function countingOf({ text, isNarrowed }: Walk): string {
  const most = isNarrowed ? MOST_LOOKED_AT : MAX_COUNTED_EXCEPTIONS + 1;
  return `${QUEUES} select coalesce(sum(fitting), 0)::integer as total, coalesce(bool_or(walked >= ${most}), false) as cut
    from queues cross join lateral (
      select count(*)::integer as walked, count(*) filter (where fits)::integer as fitting from (${text(most, false)}) walk) counted`;
}

interface Step {
  readonly id: string;
  readonly cursor: string;
  /** Not an item, but the position up to which its queue was scanned. */
  readonly is_end: boolean;
}

/** The page ends at the earliest position where the scan of a queue stopped, because later items may be missing. */
async function findIds(db: Queryable, walk: Walk, { limit, offset }: PageSize) {
  const { text, order, isNarrowed, values } = walk;
  const most = offset + limit + 1;
  const columns = `id, created_at, (extract(epoch from created_at) * 1000000)::bigint || '.' || id as cursor`;
  const steps = await db.query<Step>(
    `${QUEUES} select step.id, step.cursor, step.is_end from queues cross join lateral (
       (select ${columns}, false as is_end from (${text(isNarrowed ? MOST_LOOKED_AT : most, true)}) walk where fits
        order by created_at ${order}, id ${order} limit ${most})
       ${isNarrowed ? `union all (select ${columns}, true from (${text(MOST_LOOKED_AT, true)}) walk offset ${MOST_LOOKED_AT - 1})` : ''}
     ) step order by step.created_at ${order}, step.id ${order}, step.is_end`,
    values,
  );
  const end = steps.findIndex(({ is_end: isEnd }) => isEnd);
  const items = (end < 0 ? steps : steps.slice(0, end)).filter(({ is_end: isEnd }) => !isEnd);
  const page = items.slice(offset, offset + limit);
  const last = items.length > offset + limit ? page.at(-1) : steps[end];
  return { ids: page.map(({ id }) => id), nextCursor: last?.cursor ?? null };
}

const IS_MATCH_IN_QUEUE = `exception_of(m.status, m.reason) = queues.queue and m.status not in ('MATCHED', 'DUPLICATE')
  and m.created_at < case queues.queue when 'no_intent' then now() - ${WAITS_FOR_ITS_INTENT} else 'infinity' end`;

function walkOf(filter: Filter): Walk {
  const { merchantId, environment, status, kind, createdFrom, createdTo, order: by, after } = filter;
  const open = kind === undefined ? exceptionKindSchema.options : [kind];
  const values: unknown[] = [
    merchantId,
    environment === undefined ? ['SANDBOX', 'LIVE'] : [environment],
    status === 'OPEN' ? open : kind === undefined ? ['closed'] : [],
  ];
  const place = (value: unknown) => `$${values.push(value)}`;
  const narrowed = narrowedBy(filter, place);
  const leading = narrowed.find(({ isIndexed }) => isIndexed);
  const fits = narrowed.filter((each) => each !== leading).map(({ condition }) => condition);
  const along = [
    ...(leading === undefined ? [] : [leading.condition]),
    ...(createdFrom === undefined ? [] : [`m.created_at >= ${place(new Date(createdFrom))}`]),
    ...(createdTo === undefined ? [] : [`m.created_at < ${place(new Date(createdTo))}`]),
  ];
  const counted = values.length;
  const order = by === 'newest' ? 'desc' : 'asc';
  const from = after === undefined ? undefined : isBehind(after, by, place);
  // Disputes have the filter columns of matches under the same names.
  const text = (most: number, isFromCursor: boolean) => {
    const conditions = [...along, ...(isFromCursor && from !== undefined ? [from] : [])];
    const walk = (table: string, isInQueue: string) => `
      (select m.id, m.created_at, (${['true', ...fits].join(' and ')}) as fits from ${table} m
       where m.merchant_id = $1 and m.environment = queues.environment and ${[isInQueue, ...conditions].join(' and ')}
       order by m.created_at ${order}, m.id ${order} limit ${most})`;
    return `select id, created_at, fits from (${walk('matches', IS_MATCH_IN_QUEUE)} union all ${walk('disputes', 'm.queue = queues.queue')}) both_kinds
      order by created_at ${order}, id ${order} limit ${most}`;
  };
  return { values, counted, text, isNarrowed: fits.length > 0, order };
}

interface Narrowing {
  readonly condition: string;
  /** An index by this column and age exists. */
  readonly isIndexed: boolean;
}

/**
 * Conditions besides queue and age, the most selective first: that one determines the index, the others are filtered.
 */
function narrowedBy(
  { assigneeId, receiverAccountId, reason, amountFrom, amountTo }: Filter,
  place: (value: unknown) => string,
): Narrowing[] {
  const poisha = (amount: string) => `(${place(amount)}::numeric * 100)::bigint`;
  const indexed = (condition: string): Narrowing => ({ condition, isIndexed: true });
  const looked = (condition: string): Narrowing => ({ condition, isIndexed: false });
  const isOneAmount = amountFrom !== undefined && amountFrom === amountTo;
  return [
    ...(isOneAmount ? [indexed(`m.received_amount = ${poisha(amountFrom)}`)] : []),
    ...(assigneeId === undefined ? [] : [indexed(`m.assignee_id = ${place(assigneeId)}`)]),
    ...(receiverAccountId === undefined ? [] : [indexed(`m.receiver_account_id = ${place(receiverAccountId)}`)]),
    ...(reason === undefined ? [] : [indexed(`m.reason = ${place(reason)}`)]),
    ...(isOneAmount || amountFrom === undefined
      ? []
      : [looked(`coalesce(m.received_amount >= ${poisha(amountFrom)}, false)`)]),
    ...(isOneAmount || amountTo === undefined
      ? []
      : [looked(`coalesce(m.received_amount <= ${poisha(amountTo)}, false)`)]),
  ];
}

function isBehind(cursor: string, order: Filter['order'], place: (value: unknown) => string): string {
  const [micros, id] = cursor.split('.');
  const at = `timestamptz 'epoch' + ${place(micros)}::bigint * interval '1 microsecond'`;
  return `(m.created_at, m.id) ${order === 'newest' ? '<' : '>'} (${at}, ${place(id)}::uuid)`;
}
