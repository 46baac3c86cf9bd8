import type { Migration } from '@pay/persistence';

/** A trigger, so that statements of the previous version are counted as well. */
export const countIntentsByHour: Migration = {
  name: '20261124170000-count-intents-by-hour',
  sql: `
-- Intents by the hour of their creation and their method, and how many of them are PAID now: the sum of a row here and
-- of the changes since it was written. The hours of Asia/Dhaka are those of UTC.
create table hourly_intent_counts (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  hour timestamptz not null,
  payment_method text not null,
  intents bigint not null,
  paid bigint not null,
  primary key (merchant_id, environment, hour, payment_method)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index hourly_intent_counts_by_hour on hourly_intent_counts (hour);

-- Only added, so that no payment waits for another one's row. A periodic task adds them to hourly_intent_counts and deletes them.
create table hourly_intent_count_changes (
  merchant_id uuid not null,
  environment text not null,
  hour timestamptz not null,
  payment_method text not null,
  intents bigint not null,
  paid bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_analyze_scale_factor = 1);
create index hourly_intent_count_changes_of_tenant on hourly_intent_count_changes (merchant_id, environment, hour);

alter table hourly_intent_counts
  alter merchant_id set statistics 10, alter environment set statistics 10, alter hour set statistics 10,
  alter payment_method set statistics 0, alter intents set statistics 0, alter paid set statistics 0;
alter table hourly_intent_count_changes
  alter merchant_id set statistics 10, alter environment set statistics 10, alter hour set statistics 10,
  alter payment_method set statistics 0, alter intents set statistics 0, alter paid set statistics 0;

-- Also for statements of a session with another search_path.
create function count_intents_by_hour() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'INSERT' then
    insert into hourly_intent_count_changes (merchant_id, environment, hour, payment_method, intents, paid)
    select merchant_id, environment, date_trunc('hour', created_at, 'UTC'), payment_method, count(*), count(paid_at)
    from rows_after where payment_method is not null group by 1, 2, 3, 4;
  else
    insert into hourly_intent_count_changes (merchant_id, environment, hour, payment_method, intents, paid)
    select merchant_id, environment, date_trunc('hour', created_at, 'UTC'), payment_method, sum(intents), sum(paid) from (
      select merchant_id, environment, created_at, payment_method, 1 as intents, (paid_at is not null)::int as paid from rows_after
      union all
      select merchant_id, environment, created_at, payment_method, -1, -(paid_at is not null)::int from rows_before
    ) as changed where payment_method is not null
    group by 1, 2, 3, 4 having sum(intents) <> 0 or sum(paid) <> 0;
  end if;
  return null;
end $$;
create trigger payment_intents_added after insert on payment_intents
  referencing new table as rows_after for each statement execute function count_intents_by_hour();
create trigger payment_intents_changed after update on payment_intents
  referencing old table as rows_before new table as rows_after for each statement execute function count_intents_by_hour();
`,
};
