import type { MatchStatus } from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';
import type { Continuity } from '../domain/balance-chain';
import type { EndText } from '../domain/daily-close';

/** As many texts on each side of midnight as a daily close reads; a minute is never cut. */
const AROUND = 60;

const TEXTS = statement(
  'texts-at-ends-of-days',
  `select text.sms_event_id as id, chain.id as chain_id, day.index, text.at, text.received_at, text.balance, text.effects, text.pair,
     text.verdict as continuity, event.match_status
   from unnest($1::uuid[]) as chain (id)
   cross join unnest($2::timestamptz[]) with ordinality as day (ends_at, index)
   cross join lateral (
     (select * from balance_texts where chain_id = chain.id and balance is not null and at < day.ends_at
      order by at desc fetch first $3 rows with ties)
     union all
     (select * from balance_texts where chain_id = chain.id and balance is not null and at >= day.ends_at
      order by at fetch first $3 rows with ties)) as text
   cross join lateral (select match_status from sms_events where id = text.sms_event_id offset 0) as event`,
);

interface Row {
  readonly id: string;
  readonly chain_id: string;
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

/** By wallet, the texts around each of the given times. As many rows as there are times, whatever the year has. */
export async function textsAround(
  db: Queryable,
  chainIds: readonly string[],
  times: readonly Date[],
): Promise<ReadonlyMap<string, readonly (readonly EndText[])[]>> {
  const rows = await db.query<Row>(TEXTS, [chainIds, times, AROUND]);
  const texts = new Map(chainIds.map((id) => [id, times.map((): EndText[] => [])]));
  for (const row of rows) texts.get(row.chain_id)?.[Number(row.index) - 1]?.push(toText(row));
  return texts;
}

function toText(row: Row): EndText {
  return {
    ...{ id: row.id, at: row.at.getTime(), receivedAt: row.received_at.getTime(), pair: row.pair },
    ...{ balance: BigInt(row.balance), effects: row.effects.map(BigInt) },
    ...{ continuity: row.continuity, matchStatus: row.match_status },
  };
}
