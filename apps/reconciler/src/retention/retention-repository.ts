import { oldRowsById, type OldRows } from '@pay/persistence';

/**
 * No kept row refers to this intent, a column of the deleted row. Open reviews are kept longer than their decisions.
 */
const isNotNamed = (intent: string) => `not exists (select from decisions d where d.payment_intent_id = ${intent})
  and not exists (select from claims c where c.payment_intent_id = ${intent})
  and not exists (select from disputes d where d.payment_intent_id = ${intent})
  and not exists (select from matches m where m.payment_intent_id = ${intent} and m.status = 'REVIEW_REQUIRED')`;

/** Disputes closed before then, with their review actions. */
export function oldDisputes(before: Date): OldRows {
  return oldRowsById('disputes', before, {
    values: [before],
    deletable: `old.closed_at < $4
      and not exists (select from review_actions a where a.dispute_id = old.id and a.done_at >= $4)`,
    also: 'acted as (delete from review_actions a using gone where a.dispute_id = gone.id)',
  });
}

/**
 * Matches whose decisions are deleted, with their evidence, review actions and paid intent. Matches that wait for an
 * intent or a person are kept.
 */
export function oldMatches(before: Date): OldRows {
  return oldRowsById('matches', before, {
    values: [before],
    deletable: `old.status not in ('PENDING', 'REVIEW_REQUIRED') and coalesce(old.resolved_at, old.created_at) < $4
      and not exists (select from decisions d where d.match_id = old.id)
      and not exists (select from disputes d where d.sms_event_id = old.sms_event_id)
      and not exists (select from review_actions a where a.match_id = old.id and a.done_at >= $4)
      and (old.pays_intent_id is null or (${isNotNamed('old.pays_intent_id')}))`,
    also: `acted as (delete from review_actions a using gone where a.match_id = gone.id),
     spent as (delete from evidence e using gone where e.sms_event_id = gone.sms_event_id),
     paid as (delete from intents i using gone where i.id = gone.pays_intent_id)`,
  });
}

/** Ended unpaid intents. Paid ones are deleted with their match. */
export function oldUnpaidIntents(before: Date): OldRows {
  return oldRowsById('intents', before, {
    deletable: `old.status in ('EXPIRED', 'FAILED', 'REJECTED') and ${isNotNamed('old.id')}`,
  });
}
