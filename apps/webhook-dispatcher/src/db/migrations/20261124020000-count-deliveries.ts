import type { Migration } from '@pay/persistence';

/** A trigger, so that statements of the previous version are counted as well. */
export const countDeliveries: Migration = {
  name: '20261124020000-count-deliveries',
  sql: `
-- How many deliveries there are of each endpoint, event type and status: the sum of a row here and of the changes since it was written.
create table delivery_counts (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  endpoint_id uuid not null,
  event_type text not null,
  status text not null,
  deliveries bigint not null,
  primary key (merchant_id, environment, endpoint_id, event_type, status)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- Only added, so that no payment waits for another one's row. A periodic task adds them to delivery_counts and deletes them.
create table delivery_count_changes (
  merchant_id uuid not null,
  environment text not null,
  endpoint_id uuid not null,
  event_type text not null,
  status text not null,
  deliveries bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_analyze_scale_factor = 1);
create index delivery_count_changes_of_tenant on delivery_count_changes (merchant_id, environment);

alter table delivery_counts
  alter merchant_id set statistics 10, alter environment set statistics 10, alter endpoint_id set statistics 10,
  alter event_type set statistics 10, alter status set statistics 10, alter deliveries set statistics 0;
alter table delivery_count_changes
  alter merchant_id set statistics 10, alter environment set statistics 10, alter endpoint_id set statistics 0,
  alter event_type set statistics 0, alter status set statistics 0, alter deliveries set statistics 0;

-- Also for statements of a session with another search_path.
create function count_deliveries() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'INSERT' then
    insert into delivery_count_changes (merchant_id, environment, endpoint_id, event_type, status, deliveries)
    select merchant_id, environment, endpoint_id, event_type, status, count(*) from rows_after group by 1, 2, 3, 4, 5;
  elsif tg_op = 'DELETE' then
    insert into delivery_count_changes (merchant_id, environment, endpoint_id, event_type, status, deliveries)
    select merchant_id, environment, endpoint_id, event_type, status, -count(*) from rows_before group by 1, 2, 3, 4, 5;
  else
    insert into delivery_count_changes (merchant_id, environment, endpoint_id, event_type, status, deliveries)
    select merchant_id, environment, endpoint_id, event_type, status, sum(deliveries) from (
      select merchant_id, environment, endpoint_id, event_type, status, 1 as deliveries from rows_after
      union all
      select merchant_id, environment, endpoint_id, event_type, status, -1 from rows_before
    ) as changed group by 1, 2, 3, 4, 5 having sum(deliveries) <> 0;
  end if;
  return null;
end $$;
create trigger deliveries_added after insert on deliveries
  referencing new table as rows_after for each statement execute function count_deliveries();
create trigger deliveries_changed after update on deliveries
  referencing old table as rows_before new table as rows_after for each statement execute function count_deliveries();
create trigger deliveries_deleted after delete on deliveries
  referencing old table as rows_before for each statement execute function count_deliveries();
`,
};
