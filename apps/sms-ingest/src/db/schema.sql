table balance_chains (
  id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  msisdn text not null,
  constraint balance_chains_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint balance_chains_pkey PRIMARY KEY (id)
);

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

table messaging_turns (
  name text not null,
  next_at timestamp with time zone default now() not null,
  constraint messaging_turns_pkey PRIMARY KEY (name)
);

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
CREATE INDEX sms_events_of_tenant ON sms_events USING btree (merchant_id, environment, id);
CREATE INDEX sms_events_reported ON sms_events USING btree (reported_at) WHERE (reported_at IS NOT NULL);
CREATE INDEX sms_events_undecided ON sms_events USING btree (merchant_id, environment, ingested_at) WHERE (status = 'PARSED'::text);
CREATE INDEX sms_events_unparsed ON sms_events USING btree (merchant_id, environment, id) WHERE (status = 'UNPARSED'::text);

table sms_fingerprints (
  fingerprint bytea not null,
  sms_event_id uuid not null,
  is_keyed boolean default true not null,
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

-- migration 20261121080000-create-messaging-1795248000000 b9124eddc10ca10db28115f852251f656008324b4f127205dcb37de27fe89c61
-- migration 20261121090000-create-directory-copy-1795251600000 31b1ae5918475f88e3ded5fb72701bdb581c53c4b57c7c72d386755d0b77e3d9
-- migration 20261121100000-create-sms-events-1795255200000 9c534c029eef8d757ced80a4077a320f242ed6365978738151a62f1a60fb40eb
-- migration 20261121140000-create-rate-limit-leases-1795269600000 f67e72f49c38d81dd6dac424bd50d35d7bb28ec4f78bcb7c347d3176ca80d99f
-- migration 20261121170000-keep-what-other-texts-say-1795280400000 6d69bdbaa41e60061a9025c3537a846adc76596d8605540aad4f0e202fd3f9c7
-- migration 20261121200000-seal-texts-1795291200000 5bf09696f3f78d690c94264e75f5ecb405248262f90eca3f27454979c959675e
-- migration 20261121200100-follow-balances-1795291260000 8c92db8cdc620007db9a460b2e9ec5ee2c14d57705526e2773490ba57b15c003
-- migration 20261121200200-watch-devices-1795291320000 acf56e9bd1441a1141de3f5f101f937277aefb75190355ab3e6c86a83241c30c
-- migration 20261122110000-keep-what-is-to-be-published-apart-1795345200000 b6513dfa0216d2b4a7a71937a3d2b9967d33afb6792aeb22194ea3d9d484d809
-- migration 20261122150000-gather-few-statistics-of-messages-1795359600000 cf1bacf1857d6f0e16d35b2371ecfaa99954995f465e17b849c171d2476106af
-- migration 20261122181002-keep-how-texts-were-authenticated-1795371002000 33575408b300c3a882fe9b6021c1b1c22cde88b14a3a71cd5afa263e10b8c6ac
-- migration 20261122190000-keep-retention-positions-1795374000000 767a2e75de577cea0a2d44b9e27ca5f467686ad1564c9f171fdd48d86697844d
-- migration 20261122211000-watch-bindings-1795381800000 7ab782fa660cb700d5484131307fa5b55232f93511591ccd6c36199b1de7c4c8
-- migration 20261122212000-add-publisher-epoch-1795382400000 6c7c5fc65bf471f566616fb53b8271fb78b55c79e1ca94cf465dbef2fa74c2c5
-- migration 20261122212100-add-epochs-of-facts-1795382460000 3f06932158476254756de3344a1445df20e4fd15752f91722e9994c9d40646c4
-- migration 20261122212400-add-decision-epochs-1795382640000 1cd01b22fad5dbca68c22e59f62c6b89a1e4632da2bc960d9d699ce99084dc95
-- migration 20261122213300-index-fingerprints-of-sms-1795383180000 cd42637dba69c54d5b4ed20fb6e7d554f22d1d187c93ee59300a5953342f111f
-- migration 20261122214000-stop-replays-1795383600000 db7a48fe842a437dde87420b415bc78bd72628053699584c9a6dc9dc7578d914
-- migration 20261123020000-add-reannouncements-1795399200000 23ca055af780adf5d8c30cc8587f84940f3338d8be83302068d4f2e85bd1c86d
-- migration 20261123053000-restrict-simulated-sms-to-sandbox-1795411800000 40f2ef48e9f117fd8f4e50454ab5dab21bc5854fe34103f58ea58848ded3866c
-- migration 20261123140500-add-reports-of-sms-events-1795442700000 5e9e04a11504f7c93a19db9cc3b69c349115516bd33ea4383f622b09cf0b0be7
-- migration 20261123140501-index-sms-events-of-tenant-1795442701000 7795421b328555dc30b04a2be5c66ad2b1f830524808fbbe90ed5c9c3631c299
-- migration 20261123140502-index-reported-sms-events-1795442702000 098347682afa0da92592cea980a426dce752d8ed56eb63cadee82b23ef636bd3
-- migration 20261123235500-gather-few-statistics-1795478100000 eb621069ff3580cac1cd539b527759caad4253535d0c4980685e7882b7ddddd9
-- migration 20261124060000-report-waiting-sms-1795500000000 d318754344f1441b5e8b7e2ff3c62b5d1ec8a6c6bbf33424a2fddeca3515f5b3
-- migration 20261124173000-require-encrypted-texts-1795541400000 c4665e98009014d44bf3a32d00ef57c30f610f7966813ce3006915b9bdeb548f
-- migration 20261124174200-drop-time-range-index-of-inbox-1795542120000 58c22d627e2125422ab5a4f310b5ad0054bd9bc277157c0b94741b76273b6a3e
-- migration 20261125220000-keep-only-written-columns-in-outbox-1795644000000 e198291b81cc3b243177aa86ac7ee019a92c626a9a90d2732697b50fa89db7c7
-- migration 20261126033000-drop-columns-of-plain-texts-1795663800000 05576a68a7a1224e9b9aceff3d492936a1a56b6f56d802654b6cd5e6e14841fa
-- migration 20261126033100-drop-unused-mark-of-resends-1795663860000 05ee4885de7964a1ffc9c56853ea7411fd4ed51a871b4308c56101d8dcc1eca6
