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

-- migration 20261121080000-create-messaging-1795248000000 b9124eddc10ca10db28115f852251f656008324b4f127205dcb37de27fe89c61
-- migration 20261121090000-create-directory-copy-1795251600000 31b1ae5918475f88e3ded5fb72701bdb581c53c4b57c7c72d386755d0b77e3d9
-- migration 20261121100000-create-intent-copies-and-claims-1795255200000 b01637c9f310b382229c0ad69ac3865c717666bbc21ef6028b5bdacc2f75ae85
-- migration 20261121140000-create-rate-limit-leases-1795269600000 f67e72f49c38d81dd6dac424bd50d35d7bb28ec4f78bcb7c347d3176ca80d99f
-- migration 20261121200000-keep-device-sightings-1795291200000 30e4e035d30dc3dd57654ddb16152e6406bbb5da5c694abc99db00777dbe6ee6
-- migration 20261122110000-keep-what-is-to-be-published-apart-1795345200000 b6513dfa0216d2b4a7a71937a3d2b9967d33afb6792aeb22194ea3d9d484d809
-- migration 20261122150000-gather-few-statistics-of-copies-1795359600000 5b176f682eadea9a28eaf80661ac7243f1df8c63686e2c8aaa400b8a00d805f0
-- migration 20261122150000-gather-few-statistics-of-messages-1795359600000 cf1bacf1857d6f0e16d35b2371ecfaa99954995f465e17b849c171d2476106af
-- migration 20261122180000-keep-submissions-of-claims-1795370400000 be90ac03782483c4df41b1f7952776fa29bc04960cb2caf2d53e62f3abce40f6
-- migration 20261122190000-keep-retention-positions-1795374000000 767a2e75de577cea0a2d44b9e27ca5f467686ad1564c9f171fdd48d86697844d
-- migration 20261122211000-watch-bindings-1795381800000 7ab782fa660cb700d5484131307fa5b55232f93511591ccd6c36199b1de7c4c8
-- migration 20261122212000-add-publisher-epoch-1795382400000 6c7c5fc65bf471f566616fb53b8271fb78b55c79e1ca94cf465dbef2fa74c2c5
-- migration 20261122212100-add-epochs-of-facts-1795382460000 3f06932158476254756de3344a1445df20e4fd15752f91722e9994c9d40646c4
-- migration 20261122212500-add-epochs-of-intents-1795382700000 bf0feb560f11b903e63256410a0fa17c4b8f4a06f7ef4fb673de696433023610
-- migration 20261122214000-stop-replays-1795383600000 db7a48fe842a437dde87420b415bc78bd72628053699584c9a6dc9dc7578d914
-- migration 20261123020000-add-reannouncements-1795399200000 8241768132512c74370786a67ecc53c6441ad7d5d6a18fda03b6b679e9f2af6e
-- migration 20261123091000-keep-trx-ids-of-paid-intents-1795425000000 fb7e0d7da824efc64d3b250f52da16d67cddd0afdc7059a25c5d43cb308f196a
-- migration 20261123235500-gather-few-statistics-1795478100000 eb621069ff3580cac1cd539b527759caad4253535d0c4980685e7882b7ddddd9
-- migration 20261124033000-keep-checkout-activity-1795491000000 7374b0bfcc210963bdd47b2ca10566dc27070e673ed3ff3e972ca3f622c3c163
-- migration 20261124174200-drop-time-range-index-of-inbox-1795542120000 58c22d627e2125422ab5a4f310b5ad0054bd9bc277157c0b94741b76273b6a3e
-- migration 20261125220000-keep-only-written-columns-in-outbox-1795644000000 e198291b81cc3b243177aa86ac7ee019a92c626a9a90d2732697b50fa89db7c7
-- migration 20261126033100-drop-unused-mark-of-resends-1795663860000 05ee4885de7964a1ffc9c56853ea7411fd4ed51a871b4308c56101d8dcc1eca6
