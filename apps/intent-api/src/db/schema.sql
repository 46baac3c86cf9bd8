table binding_probes (
  queue text not null,
  publisher text not null,
  type text not null,
  seen bigint not null,
  ahead bigint[] not null,
  sent_at timestamp with time zone not null,
  published_until timestamp with time zone not null,
  missing_since timestamp with time zone,
  repaired_at timestamp with time zone,
  recorded_at timestamp with time zone default clock_timestamp() not null,
  constraint binding_probes_pkey PRIMARY KEY (queue, publisher, type)
);
CREATE INDEX binding_probes_missing ON binding_probes USING btree (queue) WHERE (missing_since IS NOT NULL);

table device_sightings (
  device_id uuid not null,
  seen_at timestamp with time zone not null,
  constraint device_sightings_pkey PRIMARY KEY (device_id)
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);

table directory_facts (
  kind text not null,
  id uuid not null,
  version bigint not null,
  deleted boolean not null,
  merchant_id uuid,
  environment text,
  lookup_key text,
  data jsonb not null,
  epoch integer,
  constraint directory_facts_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint directory_facts_kind_check CHECK ((kind = ANY (ARRAY['merchant'::text, 'api_key'::text, 'receiver_account'::text, 'device'::text]))),
  constraint directory_facts_pkey PRIMARY KEY (kind, id),
  constraint directory_facts_version_check CHECK ((version > 0))
);
CREATE INDEX directory_facts_by_lookup_key ON directory_facts USING btree (kind, lookup_key) WHERE (lookup_key IS NOT NULL);
CREATE INDEX directory_facts_by_tenant ON directory_facts USING btree (kind, merchant_id, environment);

table directory_resends (
  kind text not null,
  asked_at timestamp with time zone,
  asked integer default 0 not null,
  completed_at timestamp with time zone,
  epoch integer,
  constraint directory_resends_pkey PRIMARY KEY (kind)
);

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

table inbox (
  consumer text not null,
  message_id uuid not null,
  received_at timestamp with time zone default now() not null,
  constraint inbox_pkey PRIMARY KEY (consumer, message_id)
);

table inbox_suspects (
  consumer text not null,
  message_id uuid not null,
  begun integer not null,
  begun_at timestamp with time zone default now() not null,
  constraint inbox_suspects_pkey PRIMARY KEY (consumer, message_id)
);

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

table messaging_turns (
  name text not null,
  next_at timestamp with time zone default now() not null,
  constraint messaging_turns_pkey PRIMARY KEY (name)
);

table outbox (
  id uuid not null,
  seq bigint generated always as identity not null,
  type text not null,
  routing_key text not null,
  target_queue text,
  aggregate_id text not null,
  sequence bigint not null,
  merchant_id uuid,
  body text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  epoch integer,
  constraint outbox_pkey PRIMARY KEY (id)
);
CREATE INDEX outbox_created ON outbox USING btree (created_at, seq);

table outbox_pending (
  id uuid not null,
  next_try_at timestamp with time zone not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  tries integer default 0 not null,
  last_error text,
  constraint outbox_pending_pkey PRIMARY KEY (id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=20000, autovacuum_analyze_scale_factor=1);
CREATE INDEX outbox_pending_due ON outbox_pending USING btree (next_try_at);

table outbox_replays (
  id bigint generated always as identity not null,
  queue text not null,
  types text[] not null,
  since timestamp with time zone not null,
  requested_at timestamp with time zone default now() not null,
  asked integer default 1 not null,
  position_at timestamp with time zone,
  position_seq bigint,
  next_run_at timestamp with time zone default now() not null,
  published bigint default 0 not null,
  finished_at timestamp with time zone,
  stopped_at timestamp with time zone,
  constraint outbox_replays_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX outbox_replays_open ON outbox_replays USING btree (queue) WHERE (finished_at IS NULL);

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

table probes (
  type text not null,
  event_id uuid not null,
  number bigint default (EXTRACT(epoch FROM now()))::bigint not null,
  confirmed_at timestamp with time zone,
  constraint probes_pkey PRIMARY KEY (type)
);

table publisher_epoch (
  base integer default 0 not null,
  place text,
  epoch integer
);

table queue_repairs (
  queue text not null,
  started_at timestamp with time zone default now() not null,
  constraint queue_repairs_pkey PRIMARY KEY (queue)
);

table rate_limit_leases (
  subject text not null,
  refill double precision not null,
  burst double precision not null,
  used double precision not null,
  at timestamp with time zone not null,
  demands jsonb not null,
  keep_until timestamp with time zone not null,
  constraint rate_limit_leases_pkey PRIMARY KEY (subject)
) with (fillfactor=50);
CREATE INDEX rate_limit_leases_by_end ON rate_limit_leases USING btree (keep_until);

table receiver_takings (
  receiver_account_id uuid not null,
  day date not null,
  amount bigint not null,
  payments integer not null,
  constraint receiver_takings_pkey PRIMARY KEY (receiver_account_id, day)
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);
CREATE INDEX receiver_takings_by_day ON receiver_takings USING btree (day);

table retention_positions (
  name text not null,
  "position" text,
  restarted_at timestamp with time zone default now() not null,
  constraint retention_positions_pkey PRIMARY KEY (name)
);

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

-- migration 20261127190000-create-messaging-1795806000000 002eac279b0b669ca45aa6e5fdcfbb62ea809a4bc1aeab3214a88dfe6faec4a8
-- migration 20261127190100-create-directory-copy-1795806060000 5e57fc406fbc8f95f116b43246e4709412c6d142db2cfc7fd112f4363fadf59f
-- migration 20261127190200-create-rate-limit-leases-1795806120000 b618815ad6e2345337df6bf0d051c53388acbe3bc7e1c461ef13a52c1d7a1949
-- migration 20261127190300-create-schema-1795806180000 5877498c66b5034bc13d8247da475f3895dbdcc1d5b0beb6d5dc29995144dba6
-- migration 20261127190400-gather-few-statistics-1795806240000 cd74e0ebbaa4b4efaa10ef3ef938a902964361da0649736951c8c312b81c0760
