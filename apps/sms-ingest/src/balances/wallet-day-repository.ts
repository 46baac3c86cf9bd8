import { mapped, statement, type Queryable } from '@pay/persistence';
import type { DayText } from '../domain/daily-close';

/** A text with its values for the dashboard. */
export interface ShownDayText extends DayText {
  readonly trxId: string | null;
  readonly reference: string | null;
}

interface Row extends Omit<ShownDayText, 'at' | 'receivedAt' | 'balance' | 'effects' | 'amount'> {
  readonly chainId: string;
  readonly at: Date;
  readonly receivedAt: Date;
  readonly balance: string | null;
  readonly effects: readonly string[];
  readonly amount: string | null;
}

/** Enough to cover the minute before the day and the one after it, also in a burst. */
const AROUND = 60;

// Both time indexes of a chain are partial, so each part contains the condition of one of them.
const TEXTS = statement(
  'texts-of-days',
  `select text.sms_event_id as id, chain.id as "chainId", text.at, text.received_at as "receivedAt", text.balance, text.effects, text.pair,
     text.verdict as continuity, event.direction, event.parsed_amount as amount, event.payment_method is not null as "isEvidence",
     event.match_status as "matchStatus", event.parsed_trx_id as "trxId", event.parsed_reference as reference
   from unnest($1::uuid[]) as chain (id)
   cross join lateral (
     (select * from balance_texts where chain_id = chain.id and balance is not null and at < $2
      order by at desc, sms_event_id desc limit $4)
     union all
     (select * from balance_texts where chain_id = chain.id and balance is not null and at >= $2 and at < $3)
     union all
     (select * from balance_texts where chain_id = chain.id and balance is null and at >= $2 and at < $3)
     union all
     (select * from balance_texts where chain_id = chain.id and balance is not null and at >= $3
      order by at, sms_event_id limit $4)) as text
   cross join lateral (select * from sms_events where id = text.sms_event_id offset 0) as event`,
);

export interface Day {
  readonly from: Date;
  readonly to: Date;
}

/** The texts of a day by wallet, and the adjacent ones. The cost depends only on the texts of the day. */
export async function textsOfDay(
  db: Queryable,
  chainIds: readonly string[],
  { from, to }: Day,
): Promise<ReadonlyMap<string, ShownDayText[]>> {
  const rows = await db.query<Row>(TEXTS, [chainIds, from, to, AROUND]);
  const texts = new Map(chainIds.map((id): [string, ShownDayText[]] => [id, []]));
  for (const row of rows) texts.get(row.chainId)?.push(toText(row));
  return texts;
}

function toText({ chainId: _, at, receivedAt, balance, effects, amount, ...row }: Row): ShownDayText {
  return {
    ...row,
    at: at.getTime(),
    receivedAt: receivedAt.getTime(),
    effects: effects.map(BigInt),
    balance: balance === null ? null : BigInt(balance),
    amount: amount === null ? null : BigInt(amount),
  };
}

export interface OpenGap {
  readonly chainId: string;
  readonly direction: 'IN' | 'OUT';
  readonly amount: bigint;
  readonly from: Date;
  readonly to: Date;
}

/** The gaps that end in a day; they belong to its difference. */
export const openGapsOfDay = mapped(toOpenGap).rows(
  'open-gaps-of-days',
  `select chain_id as "chainId", direction, amount, missing_from as "from", missing_to as "to" from missing_sms
   where chain_id = any($1::uuid[]) and status = 'OPEN' and missing_to >= $2 and missing_to < $3 order by missing_to, id`,
  (chainIds: readonly string[], { from, to }: Day) => [chainIds, from, to],
);

function toOpenGap(row: Omit<OpenGap, 'amount'> & { readonly amount: string }): OpenGap {
  return { ...row, amount: BigInt(row.amount) };
}
