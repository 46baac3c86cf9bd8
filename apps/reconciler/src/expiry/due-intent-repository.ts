import type { Tenant, Undecided } from '@pay/contracts';
import { type Queryable, type Transaction } from '@pay/persistence';
import type { ExpiryArrival } from '../domain/arrivals';
import { TENANT_COLUMNS } from '../db/tenant-row';

// Runs at most once a second and is therefore planned each time with current statistics.
const CUTOFF = `select cutoff, extract(epoch from cutoff - oldest)::float8 as lag_seconds
   from (select date_trunc('milliseconds', now() - $1::bigint * interval '1 millisecond') as cutoff) as clock
   left join lateral (
     select expires_at as oldest from intents
     where status = 'PENDING' and expires_at <= cutoff order by expires_at limit 1) due on true`;

/**
 * The latest end of intents that expire in this round, by the database's clock, and the wait of the oldest one;
 * undefined if none is due. A later query for undecided items covers everything that arrived before it.
 */
export async function expiryCutoff(
  db: Queryable,
  graceMs: number,
): Promise<{ readonly cutoff: Date; readonly lagSeconds: number | undefined }> {
  const [row] = await db.query<{ cutoff: Date; lag_seconds: number | null }>(CUTOFF, [graceMs]);
  if (row === undefined) throw new Error('the database has no clock');
  return { cutoff: row.cutoff, lagSeconds: row.lag_seconds ?? undefined };
}

// A look-up by key: blocked intents stay due and are read in each round, and comparing each with all tenants took ten
// times as long.
const NOTHING_UNDECIDED = `coalesce(($2::jsonb ->> (i.merchant_id::text || i.environment))::timestamptz > i.expires_at, true)`;
const IS_DUE = `i.status = 'PENDING' and i.expires_at <= $1 and ${NOTHING_UNDECIDED} and i.id <> all($3::uuid[])`;
const ELSEWHERE = `('wrong_method', 'wrong_receiver', 'receiver_unknown')`;
// `offset 0` forces look-ups by intent instead of reading all matches in review and all open claims.
const IS_MISDIRECTED = `(exists (select from matches m where m.payment_intent_id = i.id and m.status = 'REVIEW_REQUIRED'
       and m.reason in ${ELSEWHERE} offset 0)
     or exists (select from claims c where c.payment_intent_id = i.id and c.state = 'OPEN' and c.reason in ${ELSEWHERE} offset 0))`;
const MAY_EXPIRE = `${IS_DUE} and (i.id = any($4::uuid[]) or not ${IS_MISDIRECTED})`;
const CLAIM = `select id, ${TENANT_COLUMNS} from intents i
   where ${MAY_EXPIRE} order by i.expires_at limit $5 for update of i skip locked`;
const CLAIM_ONE = `select id, ${TENANT_COLUMNS} from intents i where ${MAY_EXPIRE} and i.id = $5 for update of i`;
const MISDIRECTED = `select id, ${TENANT_COLUMNS} from (
     select i.* from intents i where ${IS_DUE} order by i.expires_at limit $4) i
   where ${IS_MISDIRECTED}`;
const IS_ONE_MISDIRECTED = `select from intents i where i.id = $1 and ${IS_MISDIRECTED}`;

export interface DueIntents {
  readonly cutoff: Date;
  readonly undecided: Undecided['undecided'];
  /** Intents that are left to a later round. */
  readonly held: ReadonlySet<string>;
}

/**
 * Locks intents past their expiry that no undecided item can still pay; misdirected ones only if they are refreshed,
 * that is, the customer's latest choice is known. Skips locked rows.
 */
export async function claimDueIntents(
  tx: Transaction,
  due: DueIntents,
  refreshed: ReadonlySet<string>,
  limit: number,
): Promise<ExpiryArrival[]> {
  return (await tx.query<DueRow>(CLAIM, [...dueValues(due), [...refreshed], limit])).map(toExpiry);
}

/** The same for one intent; waits until its lock is free. */
export async function claimDueIntent(
  tx: Transaction,
  due: DueIntents,
  refreshed: ReadonlySet<string>,
  intentId: string,
): Promise<ExpiryArrival[]> {
  return (await tx.query<DueRow>(CLAIM_ONE, [...dueValues(due), [...refreshed], intentId])).map(toExpiry);
}

/**
 * Those of the next intents to expire that are misdirected: their money, named by its reference or claimed, went to a
 * method or receiver that was not shown.
 */
export async function findMisdirected(db: Queryable, due: DueIntents, limit: number): Promise<ExpiryArrival[]> {
  return (await db.query<DueRow>(MISDIRECTED, [...dueValues(due), limit])).map(toExpiry);
}

export async function isMisdirected(db: Queryable, intentId: string): Promise<boolean> {
  return (await db.query(IS_ONE_MISDIRECTED, [intentId])).length > 0;
}

interface DueRow extends Tenant {
  readonly id: string;
}

function dueValues({ cutoff, undecided, held }: DueIntents): unknown[] {
  // Both services may name a tenant; the last entry of a key counts, which is the earliest.
  const latestFirst = undecided.toSorted((one, other) => Date.parse(other.oldest) - Date.parse(one.oldest));
  const entries = latestFirst.map(({ merchantId, environment, oldest }) => [
    `${merchantId.toLowerCase()}${environment}`,
    oldest,
  ]);
  return [cutoff, JSON.stringify(Object.fromEntries(entries)), [...held]];
}

function toExpiry({ id: intentId, ...tenant }: DueRow): ExpiryArrival {
  return { kind: 'expiry', tenant, intentId };
}
