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

table checkout_activity (
  intent_id uuid not null,
  action text not null,
  detail text not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  constraint checkout_activity_action_check CHECK ((action = ANY (ARRAY['viewed'::text, 'method_chosen'::text, 'cancelled'::text, 'returned'::text]))),
  constraint checkout_activity_in_order CHECK ((first_at <= last_at)),
  constraint checkout_activity_pkey PRIMARY KEY (intent_id, action, detail)
);

table claims (
  id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  intent_id uuid not null,
  trx_id text not null,
  submitted_at timestamp with time zone not null,
  state text default 'undecided'::text not null,
  outcome text,
  sms_event_id uuid,
  judged_at timestamp with time zone,
  resubmitted_at timestamp with time zone,
  submissions integer default 1 not null,
  payer_digits text,
  reannounced_at timestamp with time zone,
  constraint claims_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint claims_judged_have_an_outcome CHECK ((((state = 'undecided'::text) = (outcome IS NULL)) AND ((outcome IS NULL) = (judged_at IS NULL)))),
  constraint claims_one_per_intent_and_trx_id UNIQUE (intent_id, trx_id),
  constraint claims_payer_digits_check CHECK ((payer_digits ~ '^[0-9]{3}$'::text)),
  constraint claims_pkey PRIMARY KEY (id),
  constraint claims_state_check CHECK ((state = ANY (ARRAY['undecided'::text, 'waiting'::text, 'settled'::text]))),
  constraint claims_submissions_check CHECK ((submissions > 0)),
  constraint claims_trx_id_check CHECK ((trx_id ~ '^[A-Z0-9]{6,20}$'::text))
);
CREATE INDEX claims_submitted ON claims USING btree (submitted_at);
CREATE INDEX claims_undecided ON claims USING btree (merchant_id, environment, submitted_at) WHERE (state = 'undecided'::text);

table device_sightings (
  device_id uuid not null,
  seen_at timestamp with time zone not null,
  sends_heartbeat boolean not null,
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

table intent_copies (
  id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  sequence integer not null,
  intent jsonb not null,
  epoch integer,
  paid_trx_id text,
  constraint intent_copies_are_of_their_id CHECK (((intent ->> 'id'::text) = (id)::text)),
  constraint intent_copies_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint intent_copies_pkey PRIMARY KEY (id),
  constraint intent_copies_sequence_check CHECK ((sequence > 0))
);

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

table retention_positions (
  name text not null,
  "position" text,
  restarted_at timestamp with time zone default now() not null,
  constraint retention_positions_pkey PRIMARY KEY (name)
);

-- migration 20261127190000-create-messaging-1795806000000 002eac279b0b669ca45aa6e5fdcfbb62ea809a4bc1aeab3214a88dfe6faec4a8
-- migration 20261127190100-create-directory-copy-1795806060000 5e57fc406fbc8f95f116b43246e4709412c6d142db2cfc7fd112f4363fadf59f
-- migration 20261127190200-create-rate-limit-leases-1795806120000 b618815ad6e2345337df6bf0d051c53388acbe3bc7e1c461ef13a52c1d7a1949
-- migration 20261127190300-create-schema-1795806180000 dcefd47b9e01b95e1e4788d1dfd9b3b5de4d98e23aab44762a1ee07b30836475
-- migration 20261127190400-gather-few-statistics-1795806240000 cd74e0ebbaa4b4efaa10ef3ef938a902964361da0649736951c8c312b81c0760
