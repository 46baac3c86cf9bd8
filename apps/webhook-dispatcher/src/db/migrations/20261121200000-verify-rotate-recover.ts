import type { Migration } from '@pay/persistence';

/**
 * `payment_intent_id` is null for test events alone. What is new on `deliveries` is not indexed and has a constant default: rows are not
 * rewritten, and a process of the version before writes them as it did.
 */
export const verifyRotateRecover: Migration = {
  name: '20261121200000-verify-rotate-recover',
  sql: `
alter table endpoints
  add column verified_at timestamptz,
  add column next_sealed_secret text,
  add column secret_overlap_ends_at timestamptz,
  add column failing_since timestamptz,
  add column failed_attempts integer not null default 0,
  add column warned_level smallint not null default 0,
  add column breaker_failures integer not null default 0,
  add column breaker_wait double precision,
  add column breaker_until timestamptz,
  add column recovered_at timestamptz,
  add constraint endpoints_rotation_is_whole check ((next_sealed_secret is null) = (secret_overlap_ends_at is null)),
  drop constraint endpoints_disabled_reason_check,
  add constraint endpoints_disabled_reason_check check (disabled_reason in ('GONE', 'NO_SUCCESS'));
comment on column endpoints.failing_since is 'the first failure after the last success; null while it answers';
comment on column endpoints.breaker_until is
  'null: requests flow; in the future: none is made; past: whoever claims first may send one probe';
comment on column endpoints.recovered_at is 'since when requests flow again; for the slow start';
create index endpoints_failing on endpoints (failing_since) where failing_since is not null;
create index endpoints_rotating on endpoints (secret_overlap_ends_at) where secret_overlap_ends_at is not null;

alter table deliveries
  alter column payment_intent_id drop not null,
  add column schedule_from integer not null default 0,
  add column resends integer not null default 0 check (resends >= 0),
  add column next_trigger text,
  add column ended_at timestamptz;
comment on column deliveries.schedule_from is 'attempts made before the schedule began anew';
comment on column deliveries.resends is 'attempts that were asked for by hand and have not begun';

alter table attempts
  add column sent_at timestamptz,
  add column response_headers text,
  drop constraint attempts_trigger_check,
  add constraint attempts_trigger_check check (trigger in ('schedule', 'probe', 'resend', 'recover')) not valid;

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
  primary key (merchant_id, environment, position),
  constraint events_once unique (payment_intent_id, type)
);
create index events_of_type on events (merchant_id, environment, type, position);
create index events_created on events using brin (created_at) with (pages_per_range = 32);
`,
};
