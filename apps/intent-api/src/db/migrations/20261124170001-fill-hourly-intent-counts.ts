import type { Migration } from '@pay/persistence';

/**
 * Counts the hours that statistics show, without a lock: rows and changes are read in one snapshot, and what was counted
 * by the trigger before it is subtracted.
 */
export const fillHourlyIntentCounts: Migration = {
  name: '20261124170001-fill-hourly-intent-counts',
  sql: `
set local statement_timeout = 0;
with shown as (select date_trunc('hour', now(), 'UTC') - interval '9 days' as since)
insert into hourly_intent_count_changes (merchant_id, environment, hour, payment_method, intents, paid)
select merchant_id, environment, hour, payment_method, sum(intents), sum(paid) from (
  select merchant_id, environment, date_trunc('hour', created_at, 'UTC') as hour, payment_method, count(*) as intents, count(paid_at) as paid
  from payment_intents, shown where payment_method is not null and created_at >= since group by 1, 2, 3, 4
  union all
  select merchant_id, environment, hour, payment_method, -intents, -paid from hourly_intent_counts, shown where hour >= since
  union all
  select merchant_id, environment, hour, payment_method, -intents, -paid from hourly_intent_count_changes, shown where hour >= since
) as found group by 1, 2, 3, 4 having sum(intents) <> 0 or sum(paid) <> 0;
`,
};
