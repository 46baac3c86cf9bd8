table claims (
  id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  payment_intent_id uuid not null,
  trx_id text not null,
  submitted_at timestamp with time zone not null,
  source text not null,
  state text not null,
  outcome text not null,
  reason text not null,
  sms_event_id uuid,
  sequence integer not null,
  constraint claims_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint claims_pkey PRIMARY KEY (id),
  constraint claims_sequence_check CHECK ((sequence >= 0)),
  constraint claims_source_check CHECK ((source = ANY (ARRAY['CHECKOUT'::text, 'EXPECTED'::text]))),
  constraint claims_state_check CHECK ((state = ANY (ARRAY['OPEN'::text, 'SETTLED'::text])))
);
CREATE UNIQUE INDEX claims_one_live_per_intent ON claims USING btree (payment_intent_id, trx_id, source) WHERE (state = 'OPEN'::text);
CREATE INDEX claims_open_by_intent ON claims USING btree (payment_intent_id, submitted_at) WHERE (state = 'OPEN'::text);
CREATE INDEX claims_open_by_trx_id ON claims USING btree (merchant_id, environment, trx_id) WHERE (state = 'OPEN'::text);

table directory_facts (
  kind text not null,
  id uuid not null,
  version bigint not null,
  deleted boolean not null,
  merchant_id uuid,
  environment text,
  lookup_key text,
  data jsonb not null,
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
  constraint directory_resends_pkey PRIMARY KEY (kind)
);

table early_signals (
  sms_event_id uuid not null,
  signals jsonb not null,
  sequence integer not null,
  stored_at timestamp with time zone default now() not null,
  constraint early_signals_pkey PRIMARY KEY (sms_event_id),
  constraint early_signals_sequence_check CHECK ((sequence > 0))
);
CREATE INDEX early_signals_since ON early_signals USING btree (stored_at);

table evidence (
  sms_event_id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  provider text not null,
  method text not null,
  trx_id text not null,
  reference_key text,
  amount bigint not null,
  receiver_account_id uuid,
  receiver_msisdn text,
  provider_time timestamp with time zone not null,
  ingested_at timestamp with time zone not null,
  state text not null,
  payer_msisdn text,
  signals jsonb default '[]'::jsonb not null,
  signals_sequence integer default 1 not null,
  revision integer default 1 not null,
  constraint evidence_amount_check CHECK ((amount >= 0)),
  constraint evidence_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint evidence_one_per_trx_id UNIQUE (merchant_id, environment, trx_id, provider),
  constraint evidence_pkey PRIMARY KEY (sms_event_id),
  constraint evidence_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'REVIEW'::text, 'LAPSED'::text, 'USED'::text, 'CLOSED'::text])))
);
CREATE INDEX evidence_unspent_by_reference ON evidence USING btree (merchant_id, environment, reference_key) WHERE ((state = ANY (ARRAY['WAITING'::text, 'REVIEW'::text, 'LAPSED'::text])) AND (reference_key IS NOT NULL));
CREATE INDEX evidence_waiting_since ON evidence USING btree (ingested_at) WHERE (state = 'WAITING'::text);

table inbox (
  consumer text not null,
  message_id uuid not null,
  received_at timestamp with time zone default now() not null,
  constraint inbox_pkey PRIMARY KEY (consumer, message_id)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX inbox_received ON inbox USING brin (received_at) WITH (pages_per_range='32');

table inbox_suspects (
  consumer text not null,
  message_id uuid not null,
  begun integer not null,
  begun_at timestamp with time zone default now() not null,
  constraint inbox_suspects_pkey PRIMARY KEY (consumer, message_id)
);

table intents (
  id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  reference_key text not null,
  amount bigint not null,
  status text not null,
  shown_receivers jsonb not null,
  expected_trx_id text,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  source_sequence integer not null,
  decision_sequence integer default 0 not null,
  decided_by text default 'system'::text not null,
  expected_sender_msisdn text,
  constraint intents_amount_check CHECK ((amount > 0)),
  constraint intents_decided_by_check CHECK (((decided_by = 'system'::text) OR (decided_by ~~ 'user:_%'::text))),
  constraint intents_decision_sequence_check CHECK ((decision_sequence >= 0)),
  constraint intents_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint intents_one_per_reference UNIQUE (merchant_id, environment, reference_key),
  constraint intents_pkey PRIMARY KEY (id),
  constraint intents_source_sequence_check CHECK ((source_sequence > 0)),
  constraint intents_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'PAID'::text, 'FAILED'::text, 'EXPIRED'::text, 'REJECTED'::text, 'REVIEW_REQUIRED'::text])))
);
CREATE INDEX intents_due ON intents USING btree (expires_at) WHERE (status = 'PENDING'::text);
CREATE INDEX intents_pending_of_tenant ON intents USING btree (merchant_id, environment, id) WHERE (status = 'PENDING'::text);
CREATE TRIGGER intents_legal_moves BEFORE UPDATE ON intents FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION guard_intent_move();

table matches (
  id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  sms_event_id uuid not null,
  payment_intent_id uuid,
  path text,
  status text not null,
  reason text not null,
  checks jsonb,
  paid_in_time boolean,
  expected_amount bigint,
  received_amount bigint,
  candidates jsonb default '[]'::jsonb not null,
  sms_sequence integer not null,
  pays_intent_id uuid,
  pays_sms_event_id uuid,
  created_at timestamp with time zone not null,
  window_ended_at timestamp with time zone,
  resolved_at timestamp with time zone,
  doubts jsonb default '[]'::jsonb not null,
  facts_sequence integer default 1 not null,
  revision integer default 1 not null,
  constraint matches_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint matches_one_per_sms UNIQUE (sms_event_id),
  constraint matches_path_check CHECK ((path = ANY (ARRAY['REFERENCE'::text, 'TRX_ID'::text, 'MANUAL'::text]))),
  constraint matches_pay_what_they_are_about CHECK ((((pays_intent_id IS NULL) AND (pays_sms_event_id IS NULL)) OR ((pays_intent_id IS NOT NULL) AND (pays_sms_event_id IS NOT NULL) AND (pays_intent_id = payment_intent_id) AND (pays_sms_event_id = sms_event_id)))),
  constraint matches_pay_when_matched CHECK ((((status <> 'MATCHED'::text) OR (pays_intent_id IS NOT NULL)) AND ((pays_intent_id IS NULL) OR (status = ANY (ARRAY['MATCHED'::text, 'MANUALLY_RESOLVED'::text]))))),
  constraint matches_pays_intent_id_fkey FOREIGN KEY (pays_intent_id) REFERENCES intents(id),
  constraint matches_pays_sms_event_id_fkey FOREIGN KEY (pays_sms_event_id) REFERENCES evidence(sms_event_id),
  constraint matches_pkey PRIMARY KEY (id),
  constraint matches_sms_sequence_check CHECK ((sms_sequence > 0)),
  constraint matches_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'MATCHED'::text, 'REVIEW_REQUIRED'::text, 'FAILED'::text, 'EXPIRED'::text, 'UNPARSED'::text, 'DUPLICATE'::text, 'MANUALLY_RESOLVED'::text, 'REJECTED'::text])))
);
CREATE UNIQUE INDEX matches_one_is_paid_by_an_sms ON matches USING btree (pays_sms_event_id) WHERE (pays_sms_event_id IS NOT NULL);
CREATE UNIQUE INDEX matches_one_pays_an_intent ON matches USING btree (pays_intent_id) WHERE (pays_intent_id IS NOT NULL);
CREATE TRIGGER matches_legal_moves BEFORE UPDATE ON matches FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION guard_match_move();

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
  next_try_at timestamp with time zone not null,
  published_at timestamp with time zone,
  tries integer default 0 not null,
  last_error text,
  constraint outbox_pkey PRIMARY KEY (id)
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.05, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX outbox_created ON outbox USING btree (created_at, seq);
CREATE INDEX outbox_unpublished ON outbox USING btree (next_try_at) WHERE (published_at IS NULL);

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
  constraint outbox_replays_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX outbox_replays_open ON outbox_replays USING btree (queue) WHERE (finished_at IS NULL);

table queue_repairs (
  queue text not null,
  started_at timestamp with time zone default now() not null,
  constraint queue_repairs_pkey PRIMARY KEY (queue)
);

table switch_offs (
  id bigint generated always as identity not null,
  merchant_id uuid not null,
  environment text not null,
  payment_intent_id uuid,
  done_to uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  due_at timestamp with time zone not null,
  constraint switch_offs_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint switch_offs_pkey PRIMARY KEY (id)
);
CREATE INDEX switch_offs_due ON switch_offs USING btree (due_at, id);

CREATE OR REPLACE FUNCTION guard_intent_move()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  by_person constant boolean := new.decided_by like 'user:%';
begin
  if new.decision_sequence <= old.decision_sequence then
    raise exception 'decision % does not follow decision % of intent %', new.decision_sequence, old.decision_sequence, old.id
      using errcode = 'check_violation', constraint = 'intents_decisions_in_sequence';
  end if;
  if (old.status = 'PENDING' and new.status in ('PAID', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED')
        and (new.status = 'PAID' or not by_person))
    or (old.status = 'REVIEW_REQUIRED' and (new.status = 'PAID' or (new.status = 'REJECTED' and by_person)))
    or (old.status in ('EXPIRED', 'FAILED') and new.status = 'PAID' and by_person)
  then
    return new;
  end if;
  raise exception 'intent % cannot go from % to % by %', old.id, old.status, new.status, new.decided_by
    using errcode = 'check_violation', constraint = 'intents_legal_moves';
end $function$;

CREATE OR REPLACE FUNCTION guard_match_move()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.status = 'PENDING' and new.status in ('MATCHED', 'REVIEW_REQUIRED', 'EXPIRED', 'MANUALLY_RESOLVED', 'REJECTED'))
    or (old.status = 'REVIEW_REQUIRED' and new.status in ('MATCHED', 'MANUALLY_RESOLVED', 'REJECTED'))
    or (old.status = 'EXPIRED' and new.status in ('REVIEW_REQUIRED', 'MANUALLY_RESOLVED', 'REJECTED'))
    or (old.status = 'UNPARSED' and new.status in ('PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'FAILED', 'DUPLICATE'))
    or (old.status = 'FAILED' and new.status in ('MANUALLY_RESOLVED', 'REJECTED'))
    -- A later parser has read the text otherwise.
    or (new.facts_sequence > old.facts_sequence and (
      (old.status = 'PENDING' and new.status in ('FAILED', 'DUPLICATE'))
      or (old.status = 'REVIEW_REQUIRED' and new.status in ('PENDING', 'EXPIRED', 'FAILED', 'DUPLICATE'))
      or (old.status = 'EXPIRED' and new.status in ('FAILED', 'DUPLICATE'))
      or (old.status = 'FAILED' and new.status in ('PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'DUPLICATE'))
      or (old.status = 'DUPLICATE' and new.status in ('PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'FAILED'))))
  then
    return new;
  end if;
  raise exception 'match % cannot go from % to %', old.id, old.status, new.status
    using errcode = 'check_violation', constraint = 'matches_legal_moves';
end $function$;

CREATE OR REPLACE FUNCTION refuse_unless_all_changed(kind text, changed bigint, expected bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if changed <> expected then
    raise exception '% % changed under their decision', expected - changed, kind;
  end if;
end $function$;
