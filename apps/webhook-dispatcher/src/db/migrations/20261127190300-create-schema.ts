import type { Migration } from '@pay/persistence';

export const createSchema: Migration = {
  name: '20261127190300-create-schema',
  replaces: '20261127164000-index-paid-events-by-occurrence',
  sql: `
create table endpoints (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  url text not null check (length(url) between 1 and 2000),
  event_types text[] not null check (cardinality(event_types) > 0),
  sealed_secret text not null,
  is_verified boolean not null default false,
  is_active boolean not null default true,
  disabled_reason text check (disabled_reason in ('GONE', 'NO_SUCCESS')),
  gone_at timestamptz,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  verified_at timestamptz,
  next_sealed_secret text,
  secret_overlap_ends_at timestamptz,
  failing_since timestamptz,
  failed_attempts integer not null default 0,
  warned_level smallint not null default 0,
  breaker_failures integer not null default 0,
  breaker_wait double precision,
  breaker_until timestamptz,
  recovered_at timestamptz,
  deliveries_ended_at timestamptz,
  constraint endpoints_live_is_https check (environment = 'SANDBOX' or url ilike 'https://%'),
  constraint endpoints_rotation_is_whole check ((next_sealed_secret is null) = (secret_overlap_ends_at is null))
);
comment on column endpoints.gone_at is 'when the endpoint first answered 410 in a row; a second 410 a minute later switches it off';
comment on column endpoints.failing_since is 'the first failure after the last success; null while it answers';
comment on column endpoints.breaker_until is
  'null: requests flow; in the future: none is made; past: whoever claims first may send one probe';
comment on column endpoints.recovered_at is 'since when requests flow again; for the slow start';
comment on column endpoints.deliveries_ended_at is 'since when every delivery of this deleted endpoint has ended';
create index endpoints_of_tenant on endpoints (merchant_id, environment, id desc) where deleted_at is null;
create index endpoints_failing on endpoints (failing_since) where failing_since is not null;
create index endpoints_rotating on endpoints (secret_overlap_ends_at) where secret_overlap_ends_at is not null;
create index endpoints_to_end on endpoints (deleted_at) where deleted_at is not null and deliveries_ended_at is null;

-- body is text, not jsonb: exactly these bytes are signed and sent. payment_intent_id is null only in test events.
-- Autovacuum runs early: each delivery is inserted, leased and finished, which leaves two dead rows and dead entries at the
-- beginning of deliveries_due.
create table deliveries (
  id uuid primary key,
  endpoint_id uuid not null references endpoints (id),
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  payment_intent_id uuid,
  event_id uuid not null,
  event_type text not null,
  occurred_at timestamptz not null,
  idempotency_key text not null,
  body text not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'RETRYING', 'FAILED')),
  attempt integer not null default 0 check (attempt >= 0),
  status_code integer,
  next_attempt_at timestamptz,
  lease_owner uuid,
  delivered_at timestamptz,
  created_at timestamptz not null default now(),
  schedule_from integer not null default 0,
  resends integer not null default 0 check (resends >= 0),
  next_trigger text,
  ended_at timestamptz,
  planned_at timestamptz,
  constraint deliveries_once_per_endpoint unique (endpoint_id, idempotency_key),
  constraint deliveries_final_rests check (
    status in ('PENDING', 'RETRYING') or (next_attempt_at is null and lease_owner is null)
  ),
  constraint deliveries_lease_ends check (lease_owner is null or next_attempt_at is not null),
  constraint deliveries_delivered_has_time check ((status = 'DELIVERED') = (delivered_at is not null))
) with (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05
);
comment on column deliveries.next_attempt_at is
  'when the scheduler looks at the delivery next: its next attempt or, while leased, the end of the lease; null while it is held or final';
comment on column deliveries.schedule_from is 'attempts made before the schedule began anew';
comment on column deliveries.resends is 'attempts that were asked for by hand and have not begun';
comment on column deliveries.planned_at is 'of a delivery that was made due early, to probe its endpoint: when its turn was';
create index deliveries_due on deliveries (endpoint_id, next_attempt_at) where next_attempt_at is not null;
create index deliveries_open_of_tenant on deliveries (merchant_id, environment, status, id desc) where status <> 'DELIVERED';
create index deliveries_of_intent on deliveries (payment_intent_id);
-- Held and failed deliveries, which a verification or a recovery makes due again.
create index deliveries_resting on deliveries (endpoint_id, id) where next_attempt_at is null and status <> 'DELIVERED';
-- Deliveries that wait without a time for their next attempt, without those that ended.
create index deliveries_held on deliveries (id) where next_attempt_at is null and status in ('PENDING', 'RETRYING');
-- For lists with filters: a page is found in the index alone, at any distance from the newest delivery.
create index deliveries_listed_of_tenant
  on deliveries (merchant_id, environment, id desc) include (status, event_type);
create index deliveries_listed_of_endpoint
  on deliveries (endpoint_id, id desc) include (status, event_type);

-- A row is updated once, with its result. No index covers the changed columns, and the free space of a page keeps the new
-- row version there, so that the update writes no index entry.
create table attempts (
  delivery_id uuid not null references deliveries (id),
  attempt integer not null check (attempt > 0),
  trigger text not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  outcome text,
  http_status integer,
  detail text,
  headers_ms integer,
  total_ms integer,
  response text,
  worker_id uuid not null,
  sent_at timestamptz,
  response_headers text,
  primary key (delivery_id, attempt)
) with (
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05
);
-- It was added without a scan of the table.
alter table attempts add constraint attempts_trigger_check
  check (trigger in ('schedule', 'probe', 'resend', 'recover')) not valid;

create table senders (
  id uuid primary key,
  started_at timestamptz not null default now(),
  missed_at timestamptz
);
comment on table senders is 'processes that lease deliveries; each holds a lock of its session while it lives';
comment on column senders.missed_at is 'since when nobody holds its lock';

create table recoveries (
  id uuid primary key,
  endpoint_id uuid not null references endpoints (id),
  kind text not null check (kind in ('VERIFIED', 'CAME_BACK', 'ASKED')),
  since timestamptz not null,
  phase text not null default 'RESTING' check (phase in ('RESTING', 'MISSED')),
  position_id uuid,
  position_at timestamptz,
  position bigint,
  redelivered integer not null default 0,
  created integer not null default 0,
  created_at timestamptz not null default now(),
  worked_at timestamptz not null default now(),
  finished_at timestamptz
);
comment on table recoveries is 'durable jobs that make deliveries of an endpoint due again, in batches, oldest first';
create unique index recoveries_open on recoveries (endpoint_id, kind) where finished_at is null;
create index recoveries_to_do on recoveries (worked_at) where finished_at is null;
create index recoveries_of_endpoint on recoveries (endpoint_id, id desc);

create table event_counters (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  position bigint not null check (position > 0),
  deleted_through bigint not null default 0,
  primary key (merchant_id, environment)
) with (fillfactor = 50);
comment on table event_counters is 'its lock is held from the giving of positions to the commit: commit order is position order';

create table events (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  position bigint not null,
  id uuid not null,
  type text not null,
  payment_intent_id uuid not null,
  occurred_at timestamptz not null,
  body text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Planned with the event, so that a missing delivery is noticed. Null: not audited.
  planned_deliveries smallint,
  -- Poisha, for the payment audit. Null: only the body has the amount.
  amount bigint,
  primary key (merchant_id, environment, position),
  constraint events_once unique (payment_intent_id, type)
);
create index events_of_type on events (merchant_id, environment, type, position);
-- For retention.
create index events_by_time on events (created_at);
-- For the payment audit: an event may be created long after its payment.
create index events_paid_by_occurrence on events (occurred_at) where type = 'payment.paid';

-- Deliveries of each endpoint, event type and status: the sum of a row here and of the changes since it was written.
create table delivery_counts (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  endpoint_id uuid not null,
  event_type text not null,
  status text not null,
  deliveries bigint not null,
  primary key (merchant_id, environment, endpoint_id, event_type, status)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- Only inserted, so that no payment waits for the row of another one. A periodic task adds them to delivery_counts and
-- deletes them.
create table delivery_count_changes (
  merchant_id uuid not null,
  environment text not null,
  endpoint_id uuid not null,
  event_type text not null,
  status text not null,
  deliveries bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_analyze_scale_factor = 1);
create index delivery_count_changes_of_tenant on delivery_count_changes (merchant_id, environment);

alter table delivery_counts alter deliveries set statistics 0;
alter table delivery_count_changes
  alter endpoint_id set statistics 0, alter event_type set statistics 0, alter status set statistics 0,
  alter deliveries set statistics 0;

-- The search path is set for sessions that have another one.
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

-- How much time a SANDBOX tenant skips, and how much of it its deliveries have not played yet.
create table test_clock_steps (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment = 'SANDBOX'),
  milliseconds bigint not null check (milliseconds > 0),
  milliseconds_left bigint not null check (milliseconds_left between 0 and milliseconds),
  began_at timestamptz not null default clock_timestamp()
);
create index test_clock_steps_began on test_clock_steps (began_at);
`,
};
