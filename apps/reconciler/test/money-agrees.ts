import type { Queryable } from '@pay/persistence';

/**
 * Returns the differences between PAID intents and USED evidence in a reconciler's database: they must match one to one
 * and to the poisha. A reviewer may accept another amount, which is recorded.
 */
export async function moneyThatDoesNotAgree(db: Queryable, merchantId?: string): Promise<unknown[]> {
  return db.query(
    `with pays as (
       select coalesce(i.merchant_id, m.merchant_id, e.merchant_id) as merchant_id, i.id as intent, i.status as intent_status,
         m.id as match, m.status as match_status, e.sms_event_id as text, e.state, i.amount as asked, m.expected_amount,
         m.received_amount, e.amount as came, i.environment as of_intent, e.environment as of_text
       from intents i
       full join matches m on m.pays_intent_id = i.id
       full join evidence e on e.sms_event_id = m.pays_sms_event_id)
     select 'does not agree' as what, pays.* from pays
     where ($1::uuid is null or merchant_id = $1) and (
       (intent is not null and (intent_status = 'PAID') <> (match is not null and match_status in ('MATCHED', 'MANUALLY_RESOLVED')))
       or (text is not null and (state = 'USED') <> (match is not null))
       or (match_status in ('MATCHED', 'MANUALLY_RESOLVED') and (intent is null or text is null)))
     union all
     select 'not to the poisha', pays.* from pays
     where ($1::uuid is null or merchant_id = $1) and intent_status = 'PAID' and match is not null and (
       expected_amount is distinct from asked or received_amount is distinct from came or of_intent is distinct from of_text
       or (asked <> came and (match_status <> 'MANUALLY_RESOLVED' or not exists (
         select 1 from review_actions a where a.match_id = match and a.payment_intent_id = intent
           and (a.acknowledged ->> 'expectedAmount')::numeric * 100 = asked
           and (a.acknowledged ->> 'receivedAmount')::numeric * 100 = came))))
     union all
     select 'excluded and not closed', m.merchant_id, null, null, m.id, m.status, e.sms_event_id, e.state, null, null, null, e.amount, null, null
     from matches m join evidence e on e.sms_event_id = m.sms_event_id
     where ($1::uuid is null or m.merchant_id = $1) and m.status = 'REJECTED' and e.state <> 'CLOSED'`,
    [merchantId ?? null],
  );
}

/** Called at the end of every spec that has its own database: an error that says what is wrong. */
export async function moneyProblem(db: Queryable): Promise<Error | undefined> {
  const wrong = await moneyThatDoesNotAgree(db);
  if (wrong.length === 0) return undefined;
  return new Error(`The money does not agree: ${JSON.stringify(wrong.slice(0, 5), null, 2)}`);
}
