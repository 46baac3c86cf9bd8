import { daysBefore, oldRowsById, oldRowsInOrder, type OldRows } from '@pay/persistence';

/** One statement also subtracts the deleted intents from their counters. */
export function oldIntents(before: Date): OldRows {
  return oldRowsById('payment_intents', before, {
    values: [before],
    deletable: `old.status in ('PAID', 'EXPIRED', 'FAILED', 'REJECTED')
      and greatest(old.created_at, old.paid_at, old.expired_at, old.failed_at, old.rejected_at) < $4`,
    // Counters are locked in the same order as in other transactions.
    also: `counted as (
       insert into intent_counters as counter (merchant_id, environment, status, payment_method, shard, intents)
       select merchant_id, environment, status, coalesce(payment_method, ''), pg_backend_pid() % 8, -count(*) from gone
       group by merchant_id, environment, status, coalesce(payment_method, '')
       order by merchant_id, environment, status, coalesce(payment_method, '')
       on conflict (merchant_id, environment, status, payment_method, shard)
         do update set intents = counter.intents + excluded.intents
     )`,
  });
}

/** Limits of receivers need a month; statistics compare with the year before. */
const DAILY_TOTAL_DAYS = 400;

export function oldDailyTotals(now: Date): OldRows {
  const before = daysBefore(now, DAILY_TOTAL_DAYS).toISOString().slice(0, 10);
  return oldRowsInOrder({ table: 'receiver_takings', order: 'day', orderType: 'date', before });
}

/** Statistics compare with the week before. */
const HOURLY_COUNT_DAYS = 30;

export function oldHourlyCounts(now: Date): OldRows {
  const before = daysBefore(now, HOURLY_COUNT_DAYS);
  return oldRowsInOrder({ table: 'hourly_intent_counts', order: 'hour', orderType: 'timestamptz', before });
}
