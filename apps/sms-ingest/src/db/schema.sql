-- The schema also contains the tables of libs/directory/src/schema.sql, libs/messaging/src/schema.sql, libs/rate-limits/src/schema.sql.

table balance_chains (
  id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  msisdn text not null,
  constraint balance_chains_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint balance_chains_pkey PRIMARY KEY (id)
);

table balance_rechecks (
  id uuid not null,
  chain_id uuid not null,
  at timestamp with time zone not null,
  constraint balance_rechecks_pkey PRIMARY KEY (id)
);
CREATE INDEX balance_rechecks_of_chain ON balance_rechecks USING btree (chain_id, at, id);

table balance_texts (
  sms_event_id uuid not null,
  chain_id uuid not null,
  at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  balance bigint,
  effects bigint[] not null,
  pair text,
  verdict text,
  is_doubted boolean default false not null,
  constraint balance_texts_balance_check CHECK ((balance >= 0)),
  constraint balance_texts_pkey PRIMARY KEY (sms_event_id),
  constraint balance_texts_verdict_check CHECK ((verdict = ANY (ARRAY['FIRST'::text, 'FOLLOWS'::text, 'GAP'::text, 'BREAK'::text, 'UNJUDGED'::text])))
);
CREATE INDEX balance_texts_by_time ON balance_texts USING btree (chain_id, at, sms_event_id) WHERE (balance IS NOT NULL);
CREATE INDEX balance_texts_unexamined ON balance_texts USING btree (chain_id, at, sms_event_id) WHERE (verdict IS NULL);
CREATE INDEX balance_texts_without_balance ON balance_texts USING btree (chain_id, at) WHERE (balance IS NULL);

table device_repeats (
  device_id uuid not null,
  received_at timestamp with time zone not null,
  client_message_id text not null,
  sim_slot integer,
  constraint device_repeats_pkey PRIMARY KEY (device_id, received_at, client_message_id)
);
CREATE INDEX device_repeats_by_time ON device_repeats USING btree (received_at);

table device_sightings (
  device_id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  seen_at timestamp with time zone not null,
  heartbeat_at timestamp with time zone,
  heartbeat jsonb,
  sends_heartbeat boolean generated always as (((heartbeat_at IS NOT NULL) AND ((seen_at - heartbeat_at) < '1 day'::interval))) stored not null,
  announced_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  offline_at timestamp with time zone,
  alerted_at timestamp with time zone,
  is_disabled boolean default false not null,
  merchant_is_off boolean default false not null,
  constraint device_sightings_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint device_sightings_heartbeat_check CHECK ((jsonb_typeof(heartbeat) = 'object'::text)),
  constraint device_sightings_pkey PRIMARY KEY (device_id)
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.05, autovacuum_vacuum_threshold=500);
CREATE INDEX device_sightings_by_merchant ON device_sightings USING btree (merchant_id);
CREATE INDEX device_sightings_offline ON device_sightings USING btree (offline_at) WHERE (offline_at IS NOT NULL);
CREATE INDEX device_sightings_online ON device_sightings USING btree (seen_at) WHERE (sends_heartbeat AND (offline_at IS NULL) AND (NOT is_disabled) AND (NOT merchant_is_off));
CREATE INDEX device_sightings_unannounced ON device_sightings USING btree (announced_at) WHERE (seen_at > announced_at);

table missing_sms (
  id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  chain_id uuid not null,
  msisdn text not null,
  receiver_account_ids uuid[] not null,
  direction text not null,
  amount bigint not null,
  missing_from timestamp with time zone not null,
  missing_to timestamp with time zone not null,
  status text not null,
  seen_at timestamp with time zone not null,
  found_at timestamp with time zone,
  explained_at timestamp with time zone,
  sms_event_id uuid not null,
  asked integer default 0 not null,
  constraint missing_sms_amount_check CHECK ((amount > 0)),
  constraint missing_sms_check CHECK ((missing_to >= missing_from)),
  constraint missing_sms_check1 CHECK (((status = 'SUSPECTED'::text) OR (found_at IS NOT NULL))),
  constraint missing_sms_check2 CHECK (((status = 'EXPLAINED'::text) = (explained_at IS NOT NULL))),
  constraint missing_sms_direction_check CHECK ((direction = ANY (ARRAY['IN'::text, 'OUT'::text]))),
  constraint missing_sms_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint missing_sms_pkey PRIMARY KEY (id),
  constraint missing_sms_status_check CHECK ((status = ANY (ARRAY['SUSPECTED'::text, 'OPEN'::text, 'EXPLAINED'::text])))
);
CREATE INDEX missing_sms_of_tenant ON missing_sms USING btree (merchant_id, environment, found_at DESC, id) WHERE (status <> 'SUSPECTED'::text);
CREATE UNIQUE INDEX missing_sms_one_per_text ON missing_sms USING btree (sms_event_id) WHERE (status <> 'EXPLAINED'::text);
CREATE INDEX missing_sms_open_of_chain ON missing_sms USING btree (chain_id, found_at DESC) WHERE (status = 'OPEN'::text);
CREATE INDEX missing_sms_suspected ON missing_sms USING btree (seen_at) WHERE (status = 'SUSPECTED'::text);

table sms_events (
  id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  device_id uuid not null,
  receiver_account_id uuid,
  sender text not null,
  receiver_msisdn text,
  sim_slot integer,
  client_message_id text,
  received_at timestamp with time zone not null,
  ingested_at timestamp with time zone not null,
  parser_version text not null,
  provider text,
  kind text,
  direction text,
  payment_method text,
  provider_time timestamp with time zone,
  parsed_amount bigint,
  parsed_fee bigint,
  parsed_balance bigint,
  parsed_trx_id text,
  parsed_reference text,
  parsed_sender_msisdn text,
  status text not null,
  match_status text,
  payment_intent_id uuid,
  failure_reason text,
  decision_sequence integer default 0 not null,
  parsed_commission bigint,
  parsed_recipient_msisdn text,
  signals jsonb,
  sealed_text text,
  announced_sequence integer default 1 not null,
  authenticity text,
  decision_epoch integer,
  reannounced_at timestamp with time zone,
  reported_at timestamp with time zone,
  passed_over_at timestamp with time zone,
  receiver_is_stated boolean,
  constraint sms_events_authenticity_check CHECK ((authenticity = ANY (ARRAY['device_key'::text, 'signed'::text, 'unsigned'::text]))),
  constraint sms_events_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint sms_events_evidence_is_money_in CHECK (((payment_method IS NULL) OR ((provider = ANY (ARRAY['BKASH'::text, 'NAGAD'::text])) AND (direction = 'IN'::text) AND (parsed_amount > 0)))),
  constraint sms_events_match_status_check CHECK ((match_status = ANY (ARRAY['PENDING'::text, 'MATCHED'::text, 'REVIEW_REQUIRED'::text, 'FAILED'::text, 'EXPIRED'::text, 'UNPARSED'::text, 'DUPLICATE'::text, 'MANUALLY_RESOLVED'::text, 'REJECTED'::text]))),
  constraint sms_events_parsed_amount_check CHECK ((parsed_amount >= 0)),
  constraint sms_events_parsed_are_evidence CHECK (((status <> 'PARSED'::text) OR ((provider IS NOT NULL) AND (payment_method IS NOT NULL) AND (provider_time IS NOT NULL) AND (parsed_amount IS NOT NULL) AND (parsed_trx_id IS NOT NULL)))),
  constraint sms_events_parsed_balance_check CHECK ((parsed_balance >= 0)),
  constraint sms_events_parsed_commission_check CHECK ((parsed_commission >= 0)),
  constraint sms_events_parsed_fee_check CHECK ((parsed_fee >= 0)),
  constraint sms_events_pkey PRIMARY KEY (id),
  constraint sms_events_provider_check CHECK ((provider = ANY (ARRAY['BKASH'::text, 'NAGAD'::text, 'ROCKET'::text, 'UPAY'::text]))),
  constraint sms_events_simulated_in_sandbox CHECK (((environment = 'SANDBOX'::text) OR (device_id <> '00000000-0000-8000-8000-000000000001'::uuid))) NOT VALID,
  constraint sms_events_status_check CHECK ((status = ANY (ARRAY['RECEIVED'::text, 'PARSED'::text, 'UNPARSED'::text, 'MATCH_PENDING'::text, 'MATCHED'::text, 'FAILED'::text, 'MANUALLY_RESOLVED'::text, 'REJECTED'::text])))
);
CREATE INDEX sms_events_by_device ON sms_events USING btree (device_id, received_at) WHERE (client_message_id IS NOT NULL);
CREATE INDEX sms_events_doubtful_payments ON sms_events USING btree (merchant_id, environment, passed_over_at) WHERE ((passed_over_at IS NOT NULL) AND (status = ANY (ARRAY['MATCHED'::text, 'MANUALLY_RESOLVED'::text])));
CREATE INDEX sms_events_of_tenant ON sms_events USING btree (merchant_id, environment, id);
CREATE INDEX sms_events_reported ON sms_events USING btree (reported_at) WHERE (reported_at IS NOT NULL);
CREATE INDEX sms_events_undecided ON sms_events USING btree (merchant_id, environment, ingested_at) WHERE (status = 'PARSED'::text);
CREATE INDEX sms_events_unparsed ON sms_events USING btree (merchant_id, environment, id) WHERE (status = 'UNPARSED'::text);

table sms_fingerprints (
  fingerprint bytea not null,
  sms_event_id uuid not null,
  constraint sms_fingerprints_fingerprint_check CHECK ((length(fingerprint) = 32)),
  constraint sms_fingerprints_pkey PRIMARY KEY (fingerprint),
  constraint sms_fingerprints_sms_event_id_fkey FOREIGN KEY (sms_event_id) REFERENCES sms_events(id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX sms_fingerprints_of_sms ON sms_fingerprints USING btree (sms_event_id);

table sms_secrets (
  name text not null,
  sealed text not null,
  constraint sms_secrets_pkey PRIMARY KEY (name)
);

table sms_text_deletions (
  scope text not null,
  done_until uuid not null,
  constraint sms_text_deletions_pkey PRIMARY KEY (scope),
  constraint sms_text_deletions_scope_check CHECK ((scope = ANY (ARRAY['UNDERSTOOD'::text, 'UNPARSED'::text])))
);

table sms_text_keys (
  key_id text not null,
  proof text not null,
  used_at timestamp with time zone not null,
  constraint sms_text_keys_pkey PRIMARY KEY (key_id)
);

table waiting_sms (
  process_id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  oldest timestamp with time zone not null,
  reported_at timestamp with time zone not null,
  constraint waiting_sms_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint waiting_sms_pkey PRIMARY KEY (process_id, merchant_id, environment)
);

-- migration 20261127190300-create-schema-1795806180000 50a388a1a47609008ceb02cce78be864d4eff637bbbf8433d9bc6cc2aed40b0f
-- migration 20261127230000-drop-is-keyed-of-fingerprints-1795820400000 2fed5c3db8f27da0472f7c4436249cfeee7f01a0119923c9baeeb91a3187cae4
-- migration 20261127233000-store-when-texts-are-passed-over-1795822200000 956778530f562fbd85498bc2a1ec184fc2d80268ea95bcdce21fa3e45afec2a0
-- migration 20261127233100-index-doubtful-payments-1795822260000 dcde010b2ca4f15e0c69f96abe5a495c47df0a3ad180eb1ff9b28644a4e2915b
-- migration 20261128094000-store-whether-receivers-are-stated-1795858800000 45a95de6da3a7d69ba2e64be59edea50c9632ace7eea88af356f35d2d350fc81
-- migration 20261128164800-recheck-places-that-texts-leave-1795884480000 a3c3c6bc9892e6ad72d19808788b758624045e54dd3c1fe0cc207822575442da
