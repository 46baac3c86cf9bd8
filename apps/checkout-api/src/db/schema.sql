-- The schema also contains the tables of libs/directory/src/schema.sql, libs/messaging/src/schema.sql, libs/rate-limits/src/schema.sql.

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
  decision_epoch integer,
  decision_sequence integer,
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

-- migration 20261127190300-create-schema-1795806180000 dcefd47b9e01b95e1e4788d1dfd9b3b5de4d98e23aab44762a1ee07b30836475
-- migration 20261127201000-store-sequences-of-claim-decisions-1795810200000 246178b8ea6d5e99d8eeaa0741a8960cefae03bff2eb9957335ee6aa912b412e
