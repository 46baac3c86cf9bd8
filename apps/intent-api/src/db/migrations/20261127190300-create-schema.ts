import type { Migration } from '@pay/persistence';

export const createSchema: Migration = {
  name: '20261127190300-create-schema',
  replaces: '20261126150000-keep-trx-ids-of-payments',
  sql: `
-- Autovacuum runs early because rows are inserted by the thousand: index-only scans need an up-to-date visibility map.
create table payment_intents (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  idempotency_key text not null,
  parameters_hash text not null,
  sequence integer not null default 1,
  decision_sequence integer not null default 0,
  status text not null default 'PENDING'
    check (status in ('PENDING', 'PAID', 'FAILED', 'EXPIRED', 'REJECTED', 'REVIEW_REQUIRED')),
  amount bigint not null check (amount > 0),
  currency text not null check (currency = 'BDT'),
  customer_reference text not null,
  reference_key text not null check (reference_key <> ''),
  merchant_reference text,
  payment_method text,
  receiver_account_id uuid,
  receiver_msisdn text,
  shown_receivers jsonb not null,
  method_fixed boolean not null,
  expected_trx_id text,
  expected_sender_msisdn text,
  customer_id text,
  language text check (language in ('en', 'bn')),
  success_url text,
  failed_url text,
  cancel_url text,
  expired_url text,
  metadata jsonb,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  paid_at timestamptz,
  expired_at timestamptz,
  failed_at timestamptz,
  rejected_at timestamptz,
  review_required_at timestamptz,
  failure_reason text,
  -- Epoch and hash of the decision that was applied last. Null: none, or a decision without an epoch.
  decision_epoch integer,
  decision_hash integer,
  -- A PAID intent names what received the money; these keep the customer's last choice where it differs.
  chosen_payment_method text,
  chosen_receiver_msisdn text,
  -- Null if no SMS has paid, and for payments before this column.
  paid_trx_id text,
  constraint payment_intents_paid_at_is_of_paid check ((status = 'PAID') = (paid_at is not null)),
  constraint payment_intents_one_per_idempotency_key unique (merchant_id, environment, idempotency_key),
  constraint payment_intents_one_per_reference unique (merchant_id, environment, reference_key)
) with (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05
);
create index payment_intents_newest_first
  on payment_intents (merchant_id, environment, created_at desc, id desc);
create index payment_intents_newest_first_by_status
  on payment_intents (merchant_id, environment, status, created_at desc, id desc);
create index payment_intents_newest_first_by_method
  on payment_intents (merchant_id, environment, payment_method, created_at desc, id desc) include (status)
  where payment_method is not null;
create index payment_intents_newest_first_by_merchant_reference
  on payment_intents (merchant_id, environment, merchant_reference, created_at desc, id desc)
  where merchant_reference is not null;
-- For the payment audit, which reads the payments of a range of time.
create index payment_intents_paid on payment_intents (paid_at) where paid_at is not null;

-- The same table of moves as src/domain/lifecycle.ts: PAID and REJECTED stay final for every writer.
create function payment_intents_refuse_illegal_move() returns trigger language plpgsql as $$
begin
  if (old.status, new.status) in (
    ('PENDING', 'PAID'), ('PENDING', 'REVIEW_REQUIRED'), ('PENDING', 'EXPIRED'), ('PENDING', 'FAILED'),
    ('REVIEW_REQUIRED', 'PAID'), ('REVIEW_REQUIRED', 'REJECTED'),
    ('EXPIRED', 'PAID'), ('FAILED', 'PAID')
  ) then
    return new;
  end if;
  raise exception 'a payment intent cannot move from % to %', old.status, new.status using errcode = 'check_violation';
end;
$$;
create trigger payment_intents_legal_moves before update of status on payment_intents
  for each row when (old.status is distinct from new.status)
  execute function payment_intents_refuse_illegal_move();

create function payment_intents_refuse_change_of_terms() returns trigger language plpgsql as $$
begin
  raise exception 'the terms of a payment intent never change' using errcode = 'check_violation';
end;
$$;
create trigger payment_intents_fixed_terms before update on payment_intents
  for each row when (
    (old.merchant_id, old.environment, old.amount, old.currency, old.reference_key, old.created_at)
      is distinct from (new.merchant_id, new.environment, new.amount, new.currency, new.reference_key, new.created_at)
  )
  execute function payment_intents_refuse_change_of_terms();

create function payment_intents_refuse_to_move_expiry() returns trigger language plpgsql as $$
begin
  if new.environment = 'SANDBOX' and new.expires_at < old.expires_at then
    return new;
  end if;
  raise exception 'the expiry of a payment intent moves in SANDBOX only, and to an earlier time only'
    using errcode = 'check_violation', constraint = 'payment_intents_expiry_moves';
end;
$$;
create trigger payment_intents_expiry_moves before update of expires_at on payment_intents
  for each row when (old.expires_at is distinct from new.expires_at)
  execute function payment_intents_refuse_to_move_expiry();

-- Money to any receiver that a customer was shown counts, so none of them is ever removed.
create function payment_intents_refuse_to_forget_receiver() returns trigger language plpgsql as $$
begin
  raise exception 'a receiver that was shown for a payment intent stays shown' using errcode = 'check_violation';
end;
$$;
create trigger payment_intents_shown_receivers_grow before update of shown_receivers on payment_intents
  for each row when (not new.shown_receivers @> old.shown_receivers)
  execute function payment_intents_refuse_to_forget_receiver();

-- Intents in each status, so that the total of a list costs the same for ten and for ten million; written in the
-- transaction of the change. A single shard may be negative; the sum of all shards is exact.
create table intent_counters (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  status text not null,
  -- Empty until the customer has chosen.
  payment_method text not null,
  shard smallint not null,
  intents bigint not null,
  primary key (merchant_id, environment, status, payment_method, shard)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- Intents by the hour of their creation and their method, and how many of them are PAID now: the sum of a row here and of
-- the changes since it was written. The hours of Asia/Dhaka are those of UTC.
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

-- Only inserted, so that no payment waits for the row of another one. A periodic task adds them to hourly_intent_counts and
-- deletes them.
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
  alter payment_method set statistics 0, alter intents set statistics 0, alter paid set statistics 0;
alter table hourly_intent_count_changes
  alter payment_method set statistics 0, alter intents set statistics 0, alter paid set statistics 0;

-- The search path is set for sessions that have another one.
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

-- What each receiver account was paid, by the day of Asia/Dhaka.
create table receiver_takings (
  receiver_account_id uuid not null,
  day date not null,
  amount bigint not null,
  payments integer not null,
  primary key (receiver_account_id, day)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
-- For retention, which deletes past months.
create index receiver_takings_by_day on receiver_takings (day);

create table device_sightings (
  device_id uuid primary key,
  seen_at timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- How far the deadlines of a SANDBOX tenant move. Open intents up to done_to are moved already.
create table test_clock_steps (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment = 'SANDBOX'),
  milliseconds bigint not null check (milliseconds > 0),
  began_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  done_to uuid not null default '00000000-0000-0000-0000-000000000000',
  is_moved boolean not null default false,
  expiring uuid[] not null default '{}',
  -- Null: all open intents of the tenant.
  intent_ids uuid[] check (cardinality(intent_ids) > 0)
);
create index test_clock_steps_began on test_clock_steps (began_at);
`,
};
