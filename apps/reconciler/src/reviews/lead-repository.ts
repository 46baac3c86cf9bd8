import { inTransaction, mapped } from '@pay/persistence';
import type { DecisionRecord } from '../domain/decision-record';
import type { Leads } from '../domain/decide-review';

/** How an intent is led to by this SMS, and by exceptions other than this one. The intent must be locked. */
export const findLeads = inTransaction.onlyRow<
  Leads,
  [intentId: string, besides: { readonly smsEventId: string; readonly exceptionId: string }]
>(
  'find-leads',
  // Claims are found in any state: a candidate of an open match may have settled claims. The look-ups are subqueries
  // that cannot become joins, because a cached plan from small tables would scan large ones.
  `select
     exists (
       select from decisions d
       cross join lateral (select m.sms_event_id from matches m where m.id = d.match_id offset 0) decided
       where d.payment_intent_id = $1 and decided.sms_event_id = $2) as "wasLedTo",
     exists (
       select from matches m
       where m.payment_intent_id = $1 and m.status = 'REVIEW_REQUIRED' and m.sms_event_id <> $2)
     or exists (
       select from claims c
       cross join lateral (
         select e.sms_event_id from evidence e
         where e.merchant_id = c.merchant_id and e.environment = c.environment and e.trx_id = c.trx_id offset 0) claimed
       cross join lateral (
         select m.status, m.candidates from matches m where m.sms_event_id = claimed.sms_event_id offset 0) other
       where c.payment_intent_id = $1 and claimed.sms_event_id <> $2 and other.status = 'REVIEW_REQUIRED'
         and other.candidates @> jsonb_build_array(jsonb_build_object('paymentIntentId', $1::uuid)))
     or exists (
       select from disputes d
       where d.payment_intent_id = $1 and d.closed_at is null and d.id <> $3) as "isLedToElsewhere"`,
  (intentId, besides) => [intentId, besides.smsEventId, besides.exceptionId],
);

const MOST_IN_REVIEW = 50;

/** The decisions by which this SMS led intents to review that are still in review. */
export const findLedToReview = mapped(
  ({ record }: { readonly record: string }) => JSON.parse(record) as DecisionRecord,
).rows<[smsEventId: string]>(
  'find-intents-led-to-review',
  `select d.record from matches m
   cross join lateral (
     select d.id, d.decided_at, d.payment_intent_id, d.record from decisions d where d.match_id = m.id offset 0) d
   cross join lateral (select i.status from intents i where i.id = d.payment_intent_id offset 0) intent
   where m.sms_event_id = $1 and intent.status = 'REVIEW_REQUIRED'
     and d.record::jsonb #>> '{intent,status}' = 'REVIEW_REQUIRED'
   order by d.decided_at, d.id limit ${MOST_IN_REVIEW}`,
);
