-- The schema also contains the tables of libs/directory/src/schema.sql, libs/messaging/src/schema.sql, libs/rate-limits/src/schema.sql.

table device_sightings (
  device_id uuid not null,
  seen_at timestamp with time zone not null,
  constraint device_sightings_pkey PRIMARY KEY (device_id)
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);

table hourly_intent_count_changes (
  merchant_id uuid not null,
  environment text not null,
  hour timestamp with time zone not null,
  payment_method text not null,
  intents bigint not null,
  paid bigint not null
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=20000, autovacuum_analyze_scale_factor=1);
CREATE INDEX hourly_intent_count_changes_of_tenant ON hourly_intent_count_changes USING btree (merchant_id, environment, hour);

table hourly_intent_counts (
  merchant_id uuid not null,
  environment text not null,
  hour timestamp with time zone not null,
  payment_method text not null,
  intents bigint not null,
  paid bigint not null,
  constraint hourly_intent_counts_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint hourly_intent_counts_pkey PRIMARY KEY (merchant_id, environment, hour, payment_method)
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);
CREATE INDEX hourly_intent_counts_by_hour ON hourly_intent_counts USING btree (hour);

table intent_counters (
  merchant_id uuid not null,
  environment text not null,
  status text not null,
  payment_method text not null,
  shard smallint not null,
  intents bigint not null,
  constraint intent_counters_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint intent_counters_pkey PRIMARY KEY (merchant_id, environment, status, payment_method, shard)
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);

table payment_intents (
  id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  idempotency_key text not null,
  parameters_hash text not null,
  sequence integer default 1 not null,
  decision_sequence integer default 0 not null,
  status text default 'PENDING'::text not null,
  amount bigint not null,
  currency text not null,
  customer_reference text not null,
  reference_key text not null,
  merchant_reference text,
  payment_method text,
  receiver_account_id uuid,
  receiver_msisdn text,
  shown_receivers jsonb not null,
  method_fixed boolean not null,
  expected_trx_id text,
  expected_sender_msisdn text,
  customer_id text,
  language text,
  success_url text,
  failed_url text,
  cancel_url text,
  expired_url text,
  metadata jsonb,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  paid_at timestamp with time zone,
  expired_at timestamp with time zone,
  failed_at timestamp with time zone,
  rejected_at timestamp with time zone,
  review_required_at timestamp with time zone,
  failure_reason text,
  decision_epoch integer,
  decision_hash integer,
  chosen_payment_method text,
  chosen_receiver_msisdn text,
  paid_trx_id text,
  constraint payment_intents_amount_check CHECK ((amount > 0)),
  constraint payment_intents_check CHECK ((expires_at > created_at)),
  constraint payment_intents_currency_check CHECK ((currency = 'BDT'::text)),
  constraint payment_intents_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint payment_intents_language_check CHECK ((language = ANY (ARRAY['en'::text, 'bn'::text]))),
  constraint payment_intents_one_per_idempotency_key UNIQUE (merchant_id, environment, idempotency_key),
  constraint payment_intents_one_per_reference UNIQUE (merchant_id, environment, reference_key),
  constraint payment_intents_paid_at_is_of_paid CHECK (((status = 'PAID'::text) = (paid_at IS NOT NULL))),
  constraint payment_intents_pkey PRIMARY KEY (id),
  constraint payment_intents_reference_key_check CHECK ((reference_key <> ''::text)),
  constraint payment_intents_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'PAID'::text, 'FAILED'::text, 'EXPIRED'::text, 'REJECTED'::text, 'REVIEW_REQUIRED'::text])))
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_insert_scale_factor=0.02, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX payment_intents_newest_first ON payment_intents USING btree (merchant_id, environment, created_at DESC, id DESC);
CREATE INDEX payment_intents_newest_first_by_merchant_reference ON payment_intents USING btree (merchant_id, environment, merchant_reference, created_at DESC, id DESC) WHERE (merchant_reference IS NOT NULL);
CREATE INDEX payment_intents_newest_first_by_method ON payment_intents USING btree (merchant_id, environment, payment_method, created_at DESC, id DESC) INCLUDE (status) WHERE (payment_method IS NOT NULL);
CREATE INDEX payment_intents_newest_first_by_status ON payment_intents USING btree (merchant_id, environment, status, created_at DESC, id DESC);
CREATE INDEX payment_intents_paid ON payment_intents USING btree (paid_at) WHERE (paid_at IS NOT NULL);
CREATE TRIGGER payment_intents_added AFTER INSERT ON payment_intents REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION count_intents_by_hour();
CREATE TRIGGER payment_intents_changed AFTER UPDATE ON payment_intents REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION count_intents_by_hour();
CREATE TRIGGER payment_intents_expiry_moves BEFORE UPDATE OF expires_at ON payment_intents FOR EACH ROW WHEN ((old.expires_at IS DISTINCT FROM new.expires_at)) EXECUTE FUNCTION payment_intents_refuse_to_move_expiry();
CREATE TRIGGER payment_intents_fixed_terms BEFORE UPDATE ON payment_intents FOR EACH ROW WHEN (((((((old.merchant_id IS DISTINCT FROM new.merchant_id) OR (old.environment IS DISTINCT FROM new.environment)) OR (old.amount IS DISTINCT FROM new.amount)) OR (old.currency IS DISTINCT FROM new.currency)) OR (old.reference_key IS DISTINCT FROM new.reference_key)) OR (old.created_at IS DISTINCT FROM new.created_at))) EXECUTE FUNCTION payment_intents_refuse_change_of_terms();
CREATE TRIGGER payment_intents_legal_moves BEFORE UPDATE OF status ON payment_intents FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION payment_intents_refuse_illegal_move();
CREATE TRIGGER payment_intents_shown_receivers_grow BEFORE UPDATE OF shown_receivers ON payment_intents FOR EACH ROW WHEN ((NOT (new.shown_receivers @> old.shown_receivers))) EXECUTE FUNCTION payment_intents_refuse_to_forget_receiver();

table receiver_takings (
  receiver_account_id uuid not null,
  day date not null,
  amount bigint not null,
  payments integer not null,
  constraint receiver_takings_pkey PRIMARY KEY (receiver_account_id, day)
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);
CREATE INDEX receiver_takings_by_day ON receiver_takings USING btree (day);

table test_clock_steps (
  id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  milliseconds bigint not null,
  began_at timestamp with time zone default date_trunc('milliseconds'::text, clock_timestamp()) not null,
  done_to uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  is_moved boolean default false not null,
  expiring uuid[] default '{}'::uuid[] not null,
  intent_ids uuid[],
  constraint test_clock_steps_environment_check CHECK ((environment = 'SANDBOX'::text)),
  constraint test_clock_steps_intent_ids_check CHECK ((cardinality(intent_ids) > 0)),
  constraint test_clock_steps_milliseconds_check CHECK ((milliseconds > 0)),
  constraint test_clock_steps_pkey PRIMARY KEY (id)
);
CREATE INDEX test_clock_steps_began ON test_clock_steps USING btree (began_at);

CREATE OR REPLACE FUNCTION count_intents_by_hour()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'intent_api'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION payment_intents_refuse_change_of_terms()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the terms of a payment intent never change' using errcode = 'check_violation';
end;
$function$;

CREATE OR REPLACE FUNCTION payment_intents_refuse_illegal_move()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION payment_intents_refuse_to_forget_receiver()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'a receiver that was shown for a payment intent stays shown' using errcode = 'check_violation';
end;
$function$;

CREATE OR REPLACE FUNCTION payment_intents_refuse_to_move_expiry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.environment = 'SANDBOX' and new.expires_at < old.expires_at then
    return new;
  end if;
  raise exception 'the expiry of a payment intent moves in SANDBOX only, and to an earlier time only'
    using errcode = 'check_violation', constraint = 'payment_intents_expiry_moves';
end;
$function$;

-- migration 20261127190300-create-schema-1795806180000 5877498c66b5034bc13d8247da475f3895dbdcc1d5b0beb6d5dc29995144dba6
