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

-- migration 20261121080000-create-messaging-1795248000000 b9124eddc10ca10db28115f852251f656008324b4f127205dcb37de27fe89c61
-- migration 20261121090000-create-directory-copy-1795251600000 31b1ae5918475f88e3ded5fb72701bdb581c53c4b57c7c72d386755d0b77e3d9
-- migration 20261121100000-create-payment-intents-1795255200000 e0dcbd8deb060886643b1533db49f4b013aa493a68c77130617f7de0af5926af
-- migration 20261121140000-create-rate-limit-leases-1795269600000 f67e72f49c38d81dd6dac424bd50d35d7bb28ec4f78bcb7c347d3176ca80d99f
-- migration 20261121150000-count-intents-and-takings-1795273200000 d195e02001f5d4b7cad963faff83cf0fb7a5aee8efc4789bfd4afd076e2b4ce1
-- migration 20261121220000-keep-shown-receivers-1795298400000 d8994c881f0572bccb47ced525ed6f80fff23e8bc1229ddeb82a65146af2c926
-- migration 20261122110000-keep-what-is-to-be-published-apart-1795345200000 b6513dfa0216d2b4a7a71937a3d2b9967d33afb6792aeb22194ea3d9d484d809
-- migration 20261122150000-gather-few-statistics-of-messages-1795359600000 cf1bacf1857d6f0e16d35b2371ecfaa99954995f465e17b849c171d2476106af
-- migration 20261122150000-gather-statistics-of-what-is-searched-1795359600000 fad4e48de87c93dc94ab184c0fafd2fff1a1175cf29e3d2ce800170245ce7e86
-- migration 20261122190000-keep-retention-positions-1795374000000 767a2e75de577cea0a2d44b9e27ca5f467686ad1564c9f171fdd48d86697844d
-- migration 20261122200000-index-paid-intents-1795377600000 486fa5fabf2877853932d1ad92e20a27e3284676413c8b4e2ef57e37699e4ba1
-- migration 20261122211000-watch-bindings-1795381800000 7ab782fa660cb700d5484131307fa5b55232f93511591ccd6c36199b1de7c4c8
-- migration 20261122212000-add-publisher-epoch-1795382400000 6c7c5fc65bf471f566616fb53b8271fb78b55c79e1ca94cf465dbef2fa74c2c5
-- migration 20261122212100-add-epochs-of-facts-1795382460000 3f06932158476254756de3344a1445df20e4fd15752f91722e9994c9d40646c4
-- migration 20261122212200-add-decision-epochs-1795382520000 882dd5fe776992269b8a4cc5d907a008356b8a21317f23a209767a421f98dc95
-- migration 20261122213200-index-takings-by-day-1795383120000 d9ddefe6e59b5e26149eb5e324c41ed2ab1551f36fdf919cf759706d3db27466
-- migration 20261122214000-stop-replays-1795383600000 db7a48fe842a437dde87420b415bc78bd72628053699584c9a6dc9dc7578d914
-- migration 20261123060000-add-test-clock-steps-1795413600000 681dfee67294fb9e6e5ce39c5d1c7926489111cbea18ef8d7a8f974dac23aedf
-- migration 20261123070500-name-intents-of-steps-1795417500000 3ec27b313afb28c9a1bfc9be7c1eba1e1422aa5e3a61f56c61fbdecdbb948b03
-- migration 20261123090000-keep-choice-of-paid-intents-1795424400000 b4e4000b08f6d9540646f778a0830dea505276a5b3bdd16d0d61e328907d4b9f
-- migration 20261123235500-gather-few-statistics-1795478100000 eb621069ff3580cac1cd539b527759caad4253535d0c4980685e7882b7ddddd9
-- migration 20261124170000-count-intents-by-hour-1795539600000 68e7fddf998424048a39d21938c7f3943ff197848b43cf8875d5d51d9dcbba04
-- migration 20261124170001-fill-hourly-intent-counts-1795539601000 523755d38380a24a92776a2daecaecbc09287a41f63a453b531403cfde9638f4
-- migration 20261124174200-drop-time-range-index-of-inbox-1795542120000 58c22d627e2125422ab5a4f310b5ad0054bd9bc277157c0b94741b76273b6a3e
-- migration 20261125220000-keep-only-written-columns-in-outbox-1795644000000 e198291b81cc3b243177aa86ac7ee019a92c626a9a90d2732697b50fa89db7c7
-- migration 20261126033100-drop-unused-mark-of-resends-1795663860000 05ee4885de7964a1ffc9c56853ea7411fd4ed51a871b4308c56101d8dcc1eca6
-- migration 20261126150000-keep-trx-ids-of-payments-1795705200000 0e67c01dea8483aa9f279fdddd1cc184bf37c732a5ce47e63fe4fe099c134f2d
