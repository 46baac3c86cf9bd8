import { arraysOf, enqueuedRows, inTransaction, mapped, statement, type Transaction } from '@pay/persistence';
import { MOST_BETWEEN, type LooseText, type Continuity } from '../domain/balance-chain';
import type { BalanceText } from '../domain/balance-order';
import type { KnownPlace, KnownText } from '../domain/balance-tip';

/** The rows of `balanceTextRows` in a statement with that value as parameter `$place`. */
export function balanceTextsGiven(place: number): string {
  return `jsonb_to_recordset($${place}::jsonb) as noted (id uuid, chain_id uuid, at timestamptz, received_at timestamptz,
     balance bigint, effects bigint[], pair text, is_doubted boolean)`;
}

/** A text of a balance chain. `at` is the provider's time, or the time of receipt if the text has none. */
export interface NewBalanceText {
  readonly id: string;
  readonly chainId: string;
  readonly at: Date;
  readonly receivedAt: Date;
  readonly balance: bigint | null;
  readonly effects: readonly bigint[];
  readonly pair: string | null;
  readonly isDoubted: boolean;
}

export function balanceTextRows(texts: readonly NewBalanceText[]): string {
  const rows = texts.map((text) => ({
    id: text.id,
    chain_id: text.chainId,
    at: text.at,
    received_at: text.receivedAt,
    balance: text.balance?.toString() ?? null,
    effects: text.effects.map(String),
    pair: text.pair,
    is_doubted: text.isDoubted,
  }));
  return JSON.stringify(rows);
}

const REMOVE = statement(
  'remove-balance-texts',
  `with removed as (
     delete from balance_texts where sms_event_id = any($1::uuid[]) returning sms_event_id, chain_id, at
   ), gone as (
     select gen_random_uuid() as recheck_id, * from removed
     where (sms_event_id, chain_id, at) not in (select id, chain_id, at from ${balanceTextsGiven(2)})
   ), rechecked as (
     insert into balance_rechecks (id, chain_id, at) select recheck_id, chain_id, at from gone
   )
   update missing_sms as missing set sms_event_id = gone.recheck_id from gone
   where missing.sms_event_id = any($1::uuid[]) and missing.sms_event_id = gone.sms_event_id and status <> 'EXPLAINED'`,
);
const ADD = statement(
  'add-balance-texts',
  `insert into balance_texts (sms_event_id, chain_id, at, received_at, balance, effects, pair, is_doubted)
   select id, chain_id, at, received_at, balance, effects, pair, is_doubted from ${balanceTextsGiven(1)}`,
);

/**
 * Places stored texts again, or nowhere; each place that a text leaves is examined again, with the gap before it. The
 * caller has locked the chains of the texts, so that no process stores results there that it has computed with them.
 */
export function replaceBalanceTexts(tx: Transaction, ids: readonly string[], texts: readonly NewBalanceText[]): void {
  const rows = balanceTextRows(texts);
  tx.enqueue(REMOVE, [ids, rows]);
  tx.enqueue(ADD, [rows]);
}

/** The next chain, in id order, with texts or places to examine. */
export const nextChain = mapped(({ chain_id: id }: { readonly chain_id: string }) => id).firstRow<[after: string]>(
  'next-chain-to-follow',
  `(select chain_id from balance_texts where verdict is null and chain_id > $1 order by chain_id limit 1)
   union all
   (select chain_id from balance_rechecks where chain_id > $1 order by chain_id limit 1)
   order by chain_id limit 1`,
);

/** The texts before the last minute that a new text can affect, and as many more, on which their results depend. */
const TEXTS_BEFORE = 2 * MOST_BETWEEN;
/** More, so that late texts that follow each other need few queries. */
const TEXTS_AFTER = 240;
/** Enough for the five minutes of 240 texts that `TEXTS_AFTER` may span; bounds the cost of a larger minute. */
const MOST_TEXTS = 1_200;

const COLUMNS = `sms_event_id as id, at, received_at as "receivedAt", balance, effects, pair, verdict as continuity,
  is_doubted as "isDoubted"`;

export interface StoredText extends BalanceText {
  /** Null until it is examined. */
  readonly continuity: Continuity | 'UNJUDGED' | null;
  readonly isDoubted: boolean;
}

interface TextRow extends Omit<StoredText, 'at' | 'receivedAt' | 'balance' | 'effects'> {
  readonly at: Date;
  readonly receivedAt: Date;
  readonly balance: string | null;
  readonly effects: readonly string[];
}

interface NearRow extends TextRow {
  readonly isEnd: boolean;
}

/** A text that is not examined yet, or a place that a text has left. */
export interface Unexamined {
  readonly id: string;
  readonly at: Date;
  readonly isDoubted: boolean;
}

export const unexaminedOf = inTransaction.rows<Unexamined, [chainId: string, limit: number]>(
  'unexamined-of-chain',
  `(select sms_event_id as id, at, is_doubted as "isDoubted" from balance_texts
    where chain_id = $1 and verdict is null order by at, sms_event_id limit $2)
   union all
   (select id, at, false from balance_rechecks where chain_id = $1 order by at, id limit $2)
   order by at, id limit $2`,
);

interface Direction {
  readonly from: string;
  readonly beyond: string;
  readonly within: string;
  readonly order: string;
  readonly end: string;
}
const BACK: Direction = { from: '<', beyond: '<', within: '>=', order: 'desc', end: '-infinity' };
const AHEAD: Direction = { from: '>=', beyond: '>', within: '<=', order: 'asc', end: 'infinity' };

/**
 * At most `$3` texts of a chain from `$2` on: up to the next minute, as many texts as given beyond it, and one more
 * minute, all of them whole. `isEnd`: there are no further ones.
 */
function nearTexts(name: string, { from, beyond, within, order, end }: Direction, texts: number) {
  const next = (time: string, skipped = 0) =>
    `(select at from balance_texts where chain_id = $1 and balance is not null and at ${beyond} ${time}
      order by at ${order} offset ${skipped} limit 1)`;
  return statement(
    name,
    `with bound as (select ${next(next(next('$2'), texts - 1))} as at)
     select ${COLUMNS}, (select at from bound) is null as "isEnd" from balance_texts
     where chain_id = $1 and balance is not null and at ${from} $2
       and at ${within} coalesce((select at from bound), '${end}')
     order by at ${order}, sms_event_id ${order} limit $3`,
  );
}

const BEFORE = nearTexts('balance-texts-before', BACK, TEXTS_BEFORE);
const FROM = nearTexts('balance-texts-from', AHEAD, TEXTS_AFTER);
const LOOSE = statement(
  'loose-texts-between',
  `select ${COLUMNS} from balance_texts
   where chain_id = $1 and balance is null and at between $2 and $3 order by at limit $4`,
);

export interface Stretch {
  readonly texts: readonly StoredText[];
  readonly loose: readonly LooseText[];
  readonly isBegin: boolean;
  readonly isEnd: boolean;
}

/** The texts of whole minutes around a time. A minute that makes them too many is left out, with those beyond it. */
export async function stretchAround(tx: Transaction, chainId: string, at: Date): Promise<Stretch> {
  const [earlier, later] = await Promise.all([
    tx.query<NearRow>(BEFORE, [chainId, at, MOST_TEXTS]),
    tx.query<NearRow>(FROM, [chainId, at, MOST_TEXTS]),
  ]);
  const rows = [...wholeMinutesOf(earlier).reverse(), ...wholeMinutesOf(later)];
  const [first, last] = [rows[0], rows.at(-1)];
  const loose =
    first === undefined || last === undefined
      ? []
      : await tx.query<TextRow>(LOOSE, [chainId, first.at, last.at, MOST_TEXTS]);
  return {
    texts: rows.map(({ at: time, receivedAt, balance, effects, isEnd: _, ...row }) => ({
      ...row,
      at: time.getTime(),
      receivedAt: receivedAt.getTime(),
      balance: BigInt(balance ?? 0),
      effects: effects.map(BigInt),
    })),
    loose: loose.map(({ id, at: time, effects }) => ({ id, at: time.getTime(), effects: effects.map(BigInt) })),
    isBegin: isComplete(earlier),
    isEnd: isComplete(later),
  };
}

function wholeMinutesOf(rows: readonly NearRow[]): NearRow[] {
  const cut = rows.length < MOST_TEXTS ? undefined : rows.at(-1)?.at.getTime();
  return rows.filter(({ at }) => at.getTime() !== cut);
}

function isComplete(rows: readonly NearRow[]): boolean {
  return rows.length < MOST_TEXTS && rows.every(({ isEnd }) => isEnd);
}

export const storeExamined = enqueuedRows(
  'balance-texts-examined',
  // The work item of a place ends; the update ignores its id.
  `with rechecked as (delete from balance_rechecks where id = any($1::uuid[]))
   update balance_texts as text set verdict = given.verdict, is_doubted = given.is_doubted
   from unnest($1::uuid[], $2::text[], $3::boolean[]) as given (id, verdict, is_doubted)
   where text.sms_event_id = any(array[given.id])`,
  (examined: readonly Examined[]) => arraysOf(examined, 'id', 'continuity', 'isDoubted'),
);

export interface Examined {
  readonly id: string;
  readonly continuity: Continuity | 'UNJUDGED';
  readonly isDoubted: boolean;
}

const AROUND = statement(
  'balances-around',
  `select given.n::int, known.*
   from unnest($1::uuid[], $2::timestamptz[]) with ordinality as given (chain_id, at, n)
   cross join lateral (
     (select false as "isLater", at, balance, effects, is_doubted as "isDoubted" from balance_texts
      where chain_id = given.chain_id and balance is not null and balance_texts.at <= given.at
      order by at desc, sms_event_id desc limit $3)
     union all
     (select true, at, balance, effects, is_doubted from balance_texts
      where chain_id = given.chain_id and balance is not null and balance_texts.at > given.at
      order by at, sms_event_id limit $4)
   ) as known`,
);

export type Surroundings = Pick<KnownPlace, 'known' | 'later' | 'isLaterCut'>;

interface KnownRow {
  readonly n: number;
  readonly isLater: boolean;
  readonly at: Date;
  readonly balance: string;
  readonly effects: readonly string[];
  readonly isDoubted: boolean;
}

/** For each place in a chain, the newest texts up to its time and the oldest ones after it. */
export async function balancesAround(
  tx: Transaction,
  places: readonly { readonly chainId: string; readonly at: Date }[],
  most: { readonly known: number; readonly later: number },
): Promise<Surroundings[]> {
  const rows = await tx.query<KnownRow>(AROUND, [...arraysOf(places, 'chainId', 'at'), most.known, most.later]);
  const lists = places.map(() => ({ known: [] as KnownText[], later: [] as KnownText[] }));
  for (const { n, isLater, at, balance, effects, isDoubted } of rows) {
    const text = { at, balance: BigInt(balance), effects: effects.map(BigInt), isDoubted };
    lists[n - 1]?.[isLater ? 'later' : 'known'].push(text);
  }
  return lists.map((each) => ({ ...each, isLaterCut: each.later.length === most.later }));
}
