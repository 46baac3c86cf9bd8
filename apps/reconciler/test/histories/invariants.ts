import type { EventOf } from '@pay/contracts';
import type { Database } from '@pay/persistence';
import { moneyThatDoesNotAgree } from '../money-agrees';

/** Invariants of a merchant after any history, checked on tables and events only. Empty if all hold. */
export async function broken(db: Database, merchantId: string): Promise<unknown[]> {
  const [money, ...rest] = await Promise.all([
    moneyThatDoesNotAgree(db, merchantId),
    db.query(PAID_ELSEWHERE, [merchantId]),
    db.query(CONSUMED_TWICE, [merchantId]),
    db.query(SUMS_DIFFER, [merchantId]),
    db.query(PAID_LATE_BY_THE_MACHINE, [merchantId]),
    db.query(UNDONE, [merchantId]),
    illegalMoves(db, merchantId),
  ]);
  return [...money, ...rest.flat()];
}

/**
 * A payment has the environment of its intent, and an automatic one a receiver that the intent has shown. That can only
 * be checked for intents without a later change of the method.
 */
const PAID_ELSEWHERE = `
  select 'paid from elsewhere' as what, i.id from intents i
  join matches m on m.pays_intent_id = i.id
  join evidence e on e.sms_event_id = m.pays_sms_event_id
  where i.merchant_id = $1 and (
    (i.merchant_id, i.environment) is distinct from (m.merchant_id, m.environment)
    or (i.merchant_id, i.environment) is distinct from (e.merchant_id, e.environment)
    or (m.status = 'MATCHED' and (e.receiver_account_id is null or (
      i.source_sequence = 1 and jsonb_array_length(i.shown_receivers) > 0 and not exists (
        select 1 from jsonb_array_elements(i.shown_receivers) s
        where s ->> 'receiverAccountId' = e.receiver_account_id::text and s ->> 'paymentMethod' = e.method)))))`;

/** A TrxID pays at most once. */
const CONSUMED_TWICE = `
  select 'consumed twice' as what, e.trx_id, count(*) from matches m join evidence e on e.sms_event_id = m.sms_event_id
  where m.merchant_id = $1 and m.pays_intent_id is not null
  group by e.environment, e.provider, e.trx_id having count(*) > 1`;

/** Conservation: the paid amounts equal the amounts of the texts, except for acknowledged differences. */
const SUMS_DIFFER = `
  select 'money was made or lost' as what, paid, spent, accepted from
    (select coalesce(sum(amount), 0) as paid from intents where merchant_id = $1 and status = 'PAID') paid,
    (select coalesce(sum(amount), 0) as spent from evidence where merchant_id = $1 and state = 'USED') spent,
    (select coalesce(sum(expected_amount - received_amount), 0) as accepted from matches
     where merchant_id = $1 and status = 'MANUALLY_RESOLVED') accepted
  where paid - spent <> accepted`;

/** Money that was sent after the end of an intent, by the minute, never pays automatically. */
const PAID_LATE_BY_THE_MACHINE = `
  select 'paid late by the machine' as what, i.id from intents i
  join matches m on m.pays_intent_id = i.id
  join evidence e on e.sms_event_id = m.pays_sms_event_id
  where i.merchant_id = $1 and m.status = 'MATCHED' and date_trunc('minute', e.provider_time) > i.expires_at`;

/** At rest no work is pending, each decision was published once, and every published fact is decided. */
const UNDONE = `
  select 'a switch-off is left' as what, id::text from switch_offs where merchant_id = $1
  union all
  select 'an intent is left PENDING', id::text from intents where merchant_id = $1 and status = 'PENDING'
  union all
  select 'decided ' || count(d.id) || ' times and announced ' || count(o.aggregate_id) || ' times', coalesce(d.id::text, o.aggregate_id)
  from (select id from decisions where merchant_id = $1) d
  full join (select aggregate_id from outbox where merchant_id = $1 and type like 'match.%') o on o.aggregate_id = d.id::text
  group by d.id, o.aggregate_id having count(d.id) <> 1 or count(o.aggregate_id) <> 1`;

const LEGAL = new Set([
  ...['PENDING PAID system', 'PENDING PAID person', 'PENDING REVIEW_REQUIRED system', 'PENDING EXPIRED system'],
  ...['PENDING FAILED system', 'REVIEW_REQUIRED PAID system', 'REVIEW_REQUIRED PAID person'],
  ...['REVIEW_REQUIRED REJECTED person', 'EXPIRED PAID person', 'FAILED PAID person'],
]);

/** The published status changes have no gaps, are all legal, and end at the current status. */
async function illegalMoves(db: Database, merchantId: string): Promise<unknown[]> {
  const published = await db.query<{ body: string }>(
    `select body from outbox where merchant_id = $1 and type like 'match.%' order by seq`,
    [merchantId],
  );
  const intents = await db.query<{ id: string; status: string; decision_sequence: number }>(
    'select id, status, decision_sequence from intents where merchant_id = $1',
    [merchantId],
  );
  const moves = published.flatMap(({ body }) => {
    const { data } = JSON.parse(body) as EventOf<'match.confirmed'>;
    return data.intent === null ? [] : [{ ...data.intent, by: data.decidedBy === 'system' ? 'system' : 'person' }];
  });
  return intents.flatMap(({ id, status, decision_sequence: last }) => {
    const own = moves.filter((move) => move.id === id).sort((one, other) => one.sequence - other.sequence);
    const log = own.map((move, n) => `${own[n - 1]?.status ?? 'PENDING'} ${move.status} ${move.by}`);
    const isWhole = own.every(({ sequence }, n) => sequence === n + 1) && own.length === last;
    const isLegal = log.every((move) => LEGAL.has(move)) && (own.at(-1)?.status ?? 'PENDING') === status;
    return isWhole && isLegal ? [] : [{ what: 'illegal moves', id, status, log }];
  });
}
