import type { MatchStatus } from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';
import type { Continuity } from '../domain/balance-chain';
import type { EndText } from '../domain/daily-close';

/** The same number of texts on each side of midnight as in a daily close; minutes are read completely. */
const AROUND = 60;

const TEXTS = statement(
  'texts-at-ends-of-days',
  `select text.sms_event_id as id, day.index, text.at, text.received_at, text.balance, text.effects, text.pair,
     text.verdict as continuity, event.match_status
   from unnest($2::timestamptz[]) with ordinality as day (ends_at, index)
   cross join lateral (
     (select * from balance_texts where chain_id = $1 and balance is not null and at < day.ends_at
      order by at desc fetch first $3 rows with ties)
     union all
     (select * from balance_texts where chain_id = $1 and balance is not null and at >= day.ends_at
      order by at fetch first $3 rows with ties)) as text
   cross join lateral (select match_status from sms_events where id = text.sms_event_id offset 0) as event`,
);

interface Row {
  readonly id: string;
  /** From 1. */
  readonly index: string;
  readonly at: Date;
  readonly received_at: Date;
  readonly balance: string;
  readonly effects: readonly string[];
  readonly pair: string | null;
  readonly continuity: Continuity | 'UNJUDGED' | null;
  readonly match_status: MatchStatus | null;
}

/**
 * The texts of a wallet around each of the given times: up to 60 on each side, and the rest of the minute of the
 * farthest.
 */
export async function textsAround(
  db: Queryable,
  chainId: string,
  times: readonly Date[],
): Promise<readonly (readonly EndText[])[]> {
  const rows = await db.query<Row>(TEXTS, [chainId, times, AROUND]);
  const texts = times.map((): EndText[] => []);
  for (const row of rows) texts[Number(row.index) - 1]?.push(toText(row));
  return texts;
}

function toText(row: Row): EndText {
  return {
    id: row.id,
    at: row.at.getTime(),
    receivedAt: row.received_at.getTime(),
    pair: row.pair,
    balance: BigInt(row.balance),
    effects: row.effects.map(BigInt),
    continuity: row.continuity,
    matchStatus: row.match_status,
  };
}
