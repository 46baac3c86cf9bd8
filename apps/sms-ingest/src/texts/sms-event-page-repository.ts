import { MAX_COUNTED_SMS_EVENTS, type SmsEventListQuery } from '@pay/contracts';
import { FIRST_ID, firstIdAt, LAST_ID, statement, type Queryable, type Statement } from '@pay/persistence';
import { SUMMARY_COLUMNS, type SummaryRow } from './sms-event-view-repository';

/**
 * Maximum number of rows per request that are scanned for conditions without an index. The next page continues there.
 */
const MOST_LOOKED_AT = 10_000;

const CONDITIONS = {
  status: 'status',
  provider: 'provider',
  deviceId: 'device_id',
  receiverAccountId: 'receiver_account_id',
} as const;
type Filter = keyof typeof CONDITIONS;
const FILTERS = Object.keys(CONDITIONS) as Filter[];

export interface FoundSmsPage {
  readonly rows: readonly SummaryRow[];
  readonly total: number;
  readonly totalIsExact: boolean;
  /** Null at the end. */
  readonly nextCursor: string | null;
}

interface Statements {
  readonly page: Statement;
  readonly count: Statement;
  /** Position at which the scan for a page stopped, if it reached the limit. */
  readonly end: Statement;
}

const known = new Map<string, Statements>();

/** $1 merchant, $2 environment, $3 ids before, $4 ids from, $5 rows, then one value per filter. */
function statementsFor(given: readonly Filter[]): Statements {
  const key = given.join('-');
  const made = known.get(key);
  if (made !== undefined) return made;
  // Only UNPARSED texts have their own index.
  const isNarrowed = given.length > 0;
  const fits = given.map((filter, at) => `${CONDITIONS[filter]} = $${at + 6}`).join(' and ') || 'true';
  const walk = (most: number | string) =>
    `select id, (${fits}) as fits from sms_events where merchant_id = $1 and environment = $2 and id < $3 and id >= $4
     order by id desc limit ${most}`;
  const statements = {
    page: statement(
      ['page-of-sms-events', ...given].join('-'),
      `select ${SUMMARY_COLUMNS} from (select id from (${walk(isNarrowed ? MOST_LOOKED_AT : '$5')}) walk where fits limit $5) page
       join sms_events event using (id) order by event.id desc`,
    ),
    count: statement(
      ['count-sms-events', ...given].join('-'),
      `select count(*)::integer as walked, count(*) filter (where fits)::integer as fitting
       from (${walk(MAX_COUNTED_SMS_EVENTS + 1)}) walk where $5::integer is not null`,
    ),
    end: statement(
      ['end-of-sms-events', ...given].join('-'),
      `select id from (${walk(MOST_LOOKED_AT)}) walk where $5::integer is not null offset ${MOST_LOOKED_AT - 1}`,
    ),
  };
  known.set(key, statements);
  return statements;
}

/**
 * One page, newest first. What is filtered by is looked at on the way along the ids of the tenant, in bounded steps.
 */
export async function pageOfSmsEvents(
  db: Queryable,
  merchantId: string,
  { environment, ingestedFrom, ingestedTo, limit, after, ...filters }: SmsEventListQuery,
): Promise<FoundSmsPage> {
  const given = FILTERS.filter((filter) => filters[filter] !== undefined);
  const { page, count, end } = statementsFor(given);
  const before = ingestedTo === undefined ? LAST_ID : firstIdAt(new Date(ingestedTo));
  const from = ingestedFrom === undefined ? FIRST_ID : firstIdAt(new Date(ingestedFrom));
  const values = given.map((filter) => filters[filter]);
  const inRange = (until: string) => [merchantId, environment, until, from, limit + 1, ...values];
  const start = after !== undefined && after < before ? after : before;
  const [rows, [counted]] = await Promise.all([
    db.query<SummaryRow>(page, inRange(start)),
    db.query<{ walked: number; fitting: number }>(count, inRange(before)),
  ]);
  const { walked = 0, fitting = 0 } = counted ?? {};
  const isCut = walked > MAX_COUNTED_SMS_EVENTS;
  return {
    rows: rows.slice(0, limit),
    total: Math.min(fitting, MAX_COUNTED_SMS_EVENTS),
    totalIsExact: !isCut,
    nextCursor: rows.length > limit ? (rows[limit - 1]?.id ?? null) : await cutAt(),
  };

  /** The page may be short because no more than so many rows were looked at. */
  async function cutAt(): Promise<string | null> {
    if (given.length === 0) return null;
    return (await db.query<{ id: string }>(end, inRange(start)))[0]?.id ?? null;
  }
}
