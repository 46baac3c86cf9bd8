-- The schema also contains the tables of libs/directory/src/schema.sql, libs/messaging/src/schema.sql.

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
  resubmitted_at timestamp with time zone,
  payer_digits text,
  submissions integer,
  constraint claims_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint claims_payer_digits_check CHECK ((payer_digits ~ '^[0-9]{3}$'::text)),
  constraint claims_pkey PRIMARY KEY (id),
  constraint claims_sequence_check CHECK ((sequence >= 0)),
  constraint claims_source_check CHECK ((source = ANY (ARRAY['CHECKOUT'::text, 'EXPECTED'::text]))),
  constraint claims_state_check CHECK ((state = ANY (ARRAY['OPEN'::text, 'SETTLED'::text])))
);
CREATE INDEX claims_of_intent ON claims USING btree (payment_intent_id, submitted_at);
CREATE UNIQUE INDEX claims_one_live_per_intent ON claims USING btree (payment_intent_id, trx_id, source) WHERE (state = 'OPEN'::text);
CREATE INDEX claims_open_by_intent ON claims USING btree (payment_intent_id, submitted_at) WHERE (state = 'OPEN'::text);
CREATE INDEX claims_open_by_trx_id ON claims USING btree (merchant_id, environment, trx_id) WHERE (state = 'OPEN'::text);
CREATE INDEX claims_open_since ON claims USING btree ((
CASE
    WHEN (state = 'OPEN'::text) THEN COALESCE(resubmitted_at, submitted_at)
    ELSE NULL::timestamp with time zone
END)) WHERE (
CASE
    WHEN (state = 'OPEN'::text) THEN COALESCE(resubmitted_at, submitted_at)
    ELSE NULL::timestamp with time zone
END IS NOT NULL);
CREATE INDEX claims_settled_by_trx_id ON claims USING btree (merchant_id, environment, trx_id) WHERE (state = 'SETTLED'::text);
CREATE INDEX claims_submitted ON claims USING btree (submitted_at);

table decision_chains (
  merchant_id uuid not null,
  environment text not null,
  "position" bigint default 0 not null,
  link bytea,
  sealed_at timestamp with time zone,
  cut_position bigint,
  cut_link bytea,
  cut_through timestamp with time zone,
  cut_key_id text,
  cut_mac bytea,
  constraint decision_chains_check CHECK ((("position" = 0) = (link IS NULL))),
  constraint decision_chains_cut_before_end CHECK ((cut_position <= "position")),
  constraint decision_chains_cut_is_whole CHECK ((num_nulls(cut_position, cut_link, cut_through, cut_key_id, cut_mac) = ANY (ARRAY[0, 5]))),
  constraint decision_chains_cut_link_check CHECK ((length(cut_link) = 32)),
  constraint decision_chains_cut_mac_check CHECK ((length(cut_mac) = 32)),
  constraint decision_chains_cut_position_check CHECK ((cut_position > 0)),
  constraint decision_chains_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint decision_chains_link_check CHECK ((length(link) = 32)),
  constraint decision_chains_pkey PRIMARY KEY (merchant_id, environment),
  constraint decision_chains_position_check CHECK (("position" >= 0))
);

table decisions (
  id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  match_id uuid not null,
  sms_event_id uuid,
  payment_intent_id uuid,
  decided_at timestamp with time zone not null,
  record text not null,
  key_id text not null,
  mac bytea not null,
  "position" bigint,
  link_key_id text,
  link bytea,
  paid_amount bigint,
  paid_by_person boolean,
  paid_seconds_after_sms double precision,
  constraint decisions_check CHECK (((("position" IS NULL) = (link IS NULL)) AND (("position" IS NULL) = (link_key_id IS NULL)))),
  constraint decisions_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint decisions_link_check CHECK ((length(link) = 32)),
  constraint decisions_mac_check CHECK ((length(mac) = 32)),
  constraint decisions_pkey PRIMARY KEY (id),
  constraint decisions_position_check CHECK (("position" > 0))
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, autovacuum_vacuum_insert_scale_factor=0.05);
CREATE UNIQUE INDEX decisions_in_order ON decisions USING btree (merchant_id, environment, "position") WHERE ("position" IS NOT NULL);
CREATE INDEX decisions_of_intent ON decisions USING btree (payment_intent_id) WHERE (payment_intent_id IS NOT NULL);
CREATE INDEX decisions_of_match ON decisions USING btree (match_id);
CREATE INDEX decisions_unsealed ON decisions USING btree (merchant_id, environment, id) WHERE ("position" IS NULL);
CREATE TRIGGER decisions_are_not_changed BEFORE UPDATE ON decisions FOR EACH ROW WHEN (((old."position" IS NOT NULL) OR ((((((((((old.id IS DISTINCT FROM new.id) OR (old.merchant_id IS DISTINCT FROM new.merchant_id)) OR (old.environment IS DISTINCT FROM new.environment)) OR (old.match_id IS DISTINCT FROM new.match_id)) OR (old.sms_event_id IS DISTINCT FROM new.sms_event_id)) OR (old.payment_intent_id IS DISTINCT FROM new.payment_intent_id)) OR (old.decided_at IS DISTINCT FROM new.decided_at)) OR (old.record IS DISTINCT FROM new.record)) OR (old.key_id IS DISTINCT FROM new.key_id)) OR (old.mac IS DISTINCT FROM new.mac)))) EXECUTE FUNCTION refuse_decision_change();
CREATE TRIGGER decisions_are_not_deleted BEFORE DELETE ON decisions FOR EACH ROW EXECUTE FUNCTION refuse_decision_change();

table disputes (
  id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  payment_intent_id uuid not null,
  trx_id text not null,
  sms_event_id uuid not null,
  submitted_at timestamp with time zone not null,
  paid_intent_id uuid not null,
  paid_submitted_at timestamp with time zone,
  received_amount bigint not null,
  receiver_account_id uuid,
  reason text default 'disputed_trx_id'::text not null,
  created_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  decided_by text default 'system'::text not null,
  resolution_note text,
  assignee_id uuid,
  queue text generated always as (
CASE
    WHEN (closed_at IS NULL) THEN 'disputed_trx_id'::text
    ELSE 'closed'::text
END) stored not null,
  constraint disputes_closed_by_a_person CHECK (((closed_at IS NULL) OR ((decided_by <> 'system'::text) AND (resolution_note IS NOT NULL)))),
  constraint disputes_decided_by_check CHECK (((decided_by = 'system'::text) OR (decided_by ~~ 'user:_%'::text))),
  constraint disputes_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint disputes_one_per_intent_and_trx_id UNIQUE (payment_intent_id, merchant_id, environment, trx_id),
  constraint disputes_pkey PRIMARY KEY (id),
  constraint disputes_resolution_note_check CHECK (((length(resolution_note) >= 1) AND (length(resolution_note) <= 500)))
);
CREATE INDEX disputes_in_order ON disputes USING btree (merchant_id, environment, queue, created_at DESC, id DESC);
CREATE INDEX disputes_of_sms ON disputes USING btree (sms_event_id);
CREATE INDEX disputes_open_of_trx_id ON disputes USING btree (merchant_id, environment, trx_id) WHERE (closed_at IS NULL);

table early_signals (
  sms_event_id uuid not null,
  signals jsonb not null,
  sequence integer not null,
  stored_at timestamp with time zone default now() not null,
  epoch integer,
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
  authenticity text,
  signals_epoch integer,
  waits_until timestamp with time zone,
  constraint evidence_amount_check CHECK ((amount >= 0)),
  constraint evidence_authenticity_check CHECK ((authenticity = ANY (ARRAY['device_key'::text, 'signed'::text, 'unsigned'::text]))),
  constraint evidence_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint evidence_one_per_trx_id UNIQUE (merchant_id, environment, trx_id, provider),
  constraint evidence_pkey PRIMARY KEY (sms_event_id),
  constraint evidence_state_check CHECK ((state = ANY (ARRAY['WAITING'::text, 'REVIEW'::text, 'LAPSED'::text, 'USED'::text, 'CLOSED'::text]))),
  constraint evidence_waits_until_in_sandbox CHECK (((waits_until IS NULL) OR (environment = 'SANDBOX'::text))) NOT VALID
);
CREATE INDEX evidence_of_payer ON evidence USING btree (merchant_id, environment, payer_msisdn, ingested_at DESC) WHERE ((payer_msisdn IS NOT NULL) AND (state = ANY (ARRAY['USED'::text, 'REVIEW'::text, 'CLOSED'::text])));
CREATE INDEX evidence_unspent_by_reference ON evidence USING btree (merchant_id, environment, reference_key) WHERE ((state = ANY (ARRAY['WAITING'::text, 'REVIEW'::text, 'LAPSED'::text])) AND (reference_key IS NOT NULL));
CREATE INDEX evidence_waiting_since ON evidence USING btree (ingested_at) WHERE (state = 'WAITING'::text);
CREATE INDEX evidence_waits_until ON evidence USING btree (waits_until) WHERE ((state = 'WAITING'::text) AND (waits_until IS NOT NULL));

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
  source_epoch integer,
  rejected_at timestamp with time zone,
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
CREATE INDEX intents_unpaid_by_amount ON intents USING btree (merchant_id, environment, amount, created_at) WHERE (status = ANY (ARRAY['PENDING'::text, 'REVIEW_REQUIRED'::text, 'EXPIRED'::text, 'FAILED'::text]));
CREATE TRIGGER intents_expiry_moves BEFORE UPDATE OF expires_at ON intents FOR EACH ROW WHEN ((old.expires_at IS DISTINCT FROM new.expires_at)) EXECUTE FUNCTION refuse_to_move_expiry();
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
  decided_by text default 'system'::text not null,
  resolution_note text,
  assignee_id uuid,
  receiver_account_id uuid,
  facts_epoch integer,
  constraint matches_decided_by_check CHECK (((decided_by = 'system'::text) OR (decided_by ~~ 'user:_%'::text))),
  constraint matches_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint matches_one_per_sms UNIQUE (sms_event_id),
  constraint matches_path_check CHECK ((path = ANY (ARRAY['REFERENCE'::text, 'TRX_ID'::text, 'MANUAL'::text]))),
  constraint matches_pay_what_they_are_about CHECK ((((pays_intent_id IS NULL) AND (pays_sms_event_id IS NULL)) OR ((pays_intent_id IS NOT NULL) AND (pays_sms_event_id IS NOT NULL) AND (pays_intent_id = payment_intent_id) AND (pays_sms_event_id = sms_event_id)))),
  constraint matches_pay_when_matched CHECK ((((status <> 'MATCHED'::text) OR (pays_intent_id IS NOT NULL)) AND ((pays_intent_id IS NULL) OR (status = ANY (ARRAY['MATCHED'::text, 'MANUALLY_RESOLVED'::text]))))),
  constraint matches_pay_when_resolved CHECK (((status <> 'MANUALLY_RESOLVED'::text) OR (pays_intent_id IS NOT NULL))),
  constraint matches_pays_intent_id_fkey FOREIGN KEY (pays_intent_id) REFERENCES intents(id),
  constraint matches_pays_sms_event_id_fkey FOREIGN KEY (pays_sms_event_id) REFERENCES evidence(sms_event_id),
  constraint matches_pkey PRIMARY KEY (id),
  constraint matches_resolution_note_check CHECK (((length(resolution_note) >= 1) AND (length(resolution_note) <= 500))),
  constraint matches_resolved_by_a_person CHECK (((status <> ALL (ARRAY['MANUALLY_RESOLVED'::text, 'REJECTED'::text])) OR ((decided_by <> 'system'::text) AND (resolution_note IS NOT NULL)))),
  constraint matches_sms_sequence_check CHECK ((sms_sequence > 0)),
  constraint matches_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'MATCHED'::text, 'REVIEW_REQUIRED'::text, 'FAILED'::text, 'EXPIRED'::text, 'UNPARSED'::text, 'DUPLICATE'::text, 'MANUALLY_RESOLVED'::text, 'REJECTED'::text])))
);
CREATE INDEX matches_exceptions ON matches USING btree (merchant_id, environment, exception_of(status, reason), created_at DESC, id DESC) WHERE (status <> ALL (ARRAY['MATCHED'::text, 'DUPLICATE'::text]));
CREATE INDEX matches_exceptions_of_amount ON matches USING btree (merchant_id, environment, received_amount, exception_of(status, reason), created_at DESC, id DESC) WHERE ((received_amount IS NOT NULL) AND (status <> ALL (ARRAY['MATCHED'::text, 'DUPLICATE'::text])));
CREATE INDEX matches_exceptions_of_assignee ON matches USING btree (merchant_id, environment, assignee_id, exception_of(status, reason), created_at DESC, id DESC) WHERE ((assignee_id IS NOT NULL) AND (status <> ALL (ARRAY['MATCHED'::text, 'DUPLICATE'::text])));
CREATE INDEX matches_exceptions_of_reason ON matches USING btree (merchant_id, environment, reason, exception_of(status, reason), created_at DESC, id DESC) WHERE (status <> ALL (ARRAY['MATCHED'::text, 'DUPLICATE'::text]));
CREATE INDEX matches_exceptions_of_receiver ON matches USING btree (merchant_id, environment, receiver_account_id, exception_of(status, reason), created_at DESC, id DESC) WHERE ((receiver_account_id IS NOT NULL) AND (status <> ALL (ARRAY['MATCHED'::text, 'DUPLICATE'::text])));
CREATE INDEX matches_in_review_of_intent ON matches USING btree (payment_intent_id) WHERE ((status = 'REVIEW_REQUIRED'::text) AND (payment_intent_id IS NOT NULL));
CREATE UNIQUE INDEX matches_one_pays_an_intent ON matches USING btree (pays_intent_id) WHERE (pays_intent_id IS NOT NULL);
CREATE TRIGGER matches_know_their_new_receiver BEFORE UPDATE ON matches FOR EACH ROW WHEN (((old.facts_sequence IS DISTINCT FROM new.facts_sequence) OR (old.facts_epoch IS DISTINCT FROM new.facts_epoch))) EXECUTE FUNCTION copy_receiver_of_match();
CREATE TRIGGER matches_know_their_receiver BEFORE INSERT ON matches FOR EACH ROW WHEN ((new.status <> ALL (ARRAY['MATCHED'::text, 'DUPLICATE'::text, 'UNPARSED'::text]))) EXECUTE FUNCTION copy_receiver_of_match();
CREATE TRIGGER matches_legal_moves BEFORE UPDATE ON matches FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION guard_match_move();

table review_actions (
  id uuid not null,
  match_id uuid,
  action text not null,
  actor_id uuid not null,
  actor_role text not null,
  note text not null,
  payment_intent_id uuid,
  assignee_id uuid,
  acknowledged jsonb default '{}'::jsonb not null,
  done_at timestamp with time zone not null,
  dispute_id uuid,
  constraint review_actions_action_check CHECK ((action = ANY (ARRAY['resolve'::text, 'link'::text, 'reject'::text, 'refunded'::text, 'not-ours'::text, 'reopen'::text, 'assign'::text]))),
  constraint review_actions_actor_role_check CHECK ((actor_role = ANY (ARRAY['OWNER'::text, 'ADMIN'::text, 'REVIEWER'::text]))),
  constraint review_actions_dispute_id_fkey FOREIGN KEY (dispute_id) REFERENCES disputes(id),
  constraint review_actions_match_id_fkey FOREIGN KEY (match_id) REFERENCES matches(id),
  constraint review_actions_note_check CHECK (((length(note) >= 1) AND (length(note) <= 500))),
  constraint review_actions_of_one_exception CHECK ((num_nonnulls(match_id, dispute_id) = 1)),
  constraint review_actions_pkey PRIMARY KEY (id)
);
CREATE INDEX review_actions_of_dispute ON review_actions USING btree (dispute_id, done_at) WHERE (dispute_id IS NOT NULL);
CREATE INDEX review_actions_of_match ON review_actions USING btree (match_id, done_at);
CREATE TRIGGER review_actions_are_final BEFORE DELETE OR UPDATE ON review_actions FOR EACH ROW EXECUTE FUNCTION refuse_review_action_change();

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

table test_clock_steps (
  id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  milliseconds bigint not null,
  began_at timestamp with time zone default clock_timestamp() not null,
  is_moved boolean default false not null,
  constraint test_clock_steps_environment_check CHECK ((environment = 'SANDBOX'::text)),
  constraint test_clock_steps_milliseconds_check CHECK ((milliseconds > 0)),
  constraint test_clock_steps_pkey PRIMARY KEY (id)
);
CREATE INDEX test_clock_steps_began ON test_clock_steps USING btree (began_at);

table verification_pass (
  id smallint default 1 not null,
  revision bigint default 0 not null,
  started_at timestamp with time zone default now() not null,
  verified_since timestamp with time zone default now() not null,
  merchant_id uuid,
  environment text,
  place jsonb,
  constraint verification_pass_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint verification_pass_id_check CHECK ((id = 1)),
  constraint verification_pass_pkey PRIMARY KEY (id)
);

CREATE OR REPLACE FUNCTION copy_receiver_of_match()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
AS $function$
begin
  select e.receiver_account_id into new.receiver_account_id from evidence e where e.sms_event_id = new.sms_event_id;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION exception_of(status text, reason text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case status
    when 'REVIEW_REQUIRED' then case
      when reason in ('reference_match_amount_mismatch', 'trx_id_match_amount_mismatch') then 'amount_differs'
      when reason = 'late_payment' then 'late_payment'
      when reason = 'intent_already_paid' then 'paid_twice'
      when reason = 'intent_closed' then 'intent_closed'
      when reason in ('wrong_method', 'wrong_receiver', 'receiver_unknown') then 'went_elsewhere'
      else 'doubtful' end
    when 'PENDING' then 'no_intent'
    when 'EXPIRED' then 'no_intent'
    when 'FAILED' then 'method_not_allowed'
    when 'UNPARSED' then case when reason = 'not_collected' then null else 'unparsed' end
    when 'MANUALLY_RESOLVED' then 'closed'
    when 'REJECTED' then 'closed'
  end
$function$;

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
declare
  by_person constant boolean := new.decided_by like 'user:%';
  is_reparsed constant boolean := case
    when new.facts_epoch <> old.facts_epoch then new.facts_epoch > old.facts_epoch
    else new.facts_sequence > old.facts_sequence end;
  needs_person constant boolean := old.doubts ?| array['contradicting_texts', 'other_intent_rejected'];
begin
  if new.status in ('MANUALLY_RESOLVED', 'REJECTED') or old.status = 'REJECTED' then
    if by_person and (
      (new.status = 'MANUALLY_RESOLVED' and old.status in ('PENDING', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED'))
      or (new.status = 'REJECTED' and old.status in ('PENDING', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED', 'UNPARSED'))
      -- A person reopens excluded evidence: it is what it was before.
      or (new.status in ('PENDING', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED') and old.status = 'REJECTED'))
      -- A claim of another intent leads to evidence that was closed by rejecting an intent.
      or (not by_person and new.status = 'REVIEW_REQUIRED' and old.reason = 'rejected_by_person')
    then
      return new;
    end if;
  elsif new.status = 'MATCHED' and needs_person then
    null;
  elsif (old.status = 'PENDING' and new.status in ('MATCHED', 'REVIEW_REQUIRED', 'EXPIRED', 'DUPLICATE'))
    or (old.status = 'REVIEW_REQUIRED' and new.status in ('MATCHED', 'DUPLICATE'))
    or (old.status = 'EXPIRED' and new.status in ('REVIEW_REQUIRED', 'DUPLICATE'))
    or (old.status = 'UNPARSED' and new.status in ('PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'FAILED', 'DUPLICATE'))
    or (is_reparsed and (
      (old.status = 'PENDING' and new.status = 'FAILED')
      or (old.status = 'REVIEW_REQUIRED' and new.status in ('PENDING', 'EXPIRED', 'FAILED'))
      or (old.status = 'EXPIRED' and new.status = 'FAILED')
      or (old.status = 'FAILED' and new.status in ('PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'EXPIRED', 'DUPLICATE'))
      or (old.status = 'DUPLICATE' and new.status in ('PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED'))))
  then
    return new;
  end if;
  raise exception 'match % cannot go from % to % by %', old.id, old.status, new.status, new.decided_by
    using errcode = 'check_violation', constraint = 'matches_legal_moves';
end $function$;

CREATE OR REPLACE FUNCTION refuse_decision_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and old.decided_at < now() - interval '390 days' and old.position <= (
    select cut_position from decision_chains c where c.merchant_id = old.merchant_id and c.environment = old.environment)
  then
    return old;
  end if;
  raise exception 'decision % is kept as it is', old.id
    using errcode = 'check_violation', constraint = 'decisions_are_kept';
end $function$;

CREATE OR REPLACE FUNCTION refuse_review_action_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and old.done_at < now() - interval '390 days' then
    return old;
  end if;
  raise exception 'review_actions are never changed' using errcode = 'check_violation', constraint = 'review_actions_are_final';
end $function$;

CREATE OR REPLACE FUNCTION refuse_to_move_expiry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.environment = 'SANDBOX' and new.expires_at < old.expires_at then
    return new;
  end if;
  raise exception 'the expiry of intent % moves in SANDBOX only, and to an earlier time only', new.id
    using errcode = 'check_violation', constraint = 'intents_expiry_moves';
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

-- migration 20261127190300-create-schema-1795806180000 d372d102805d91cce74b07c270a0ef7e126964ae6cfa3543db2db6da39600115
-- migration 20261127200000-correct-legal-moves-of-matches-1795809600000 66335a727d36287efa0cf759f4b8a5195979e4a1939b17f3b4837b50f2f119fd
-- migration 20261127230500-reopen-matches-as-they-were-1795820700000 6f8e4a98a87310f326c81323a9dcac7a2a70c0178815a5bd41cf6a1859d8d256
-- migration 20261128100500-store-the-place-of-the-verification-1795860300000 8caa569061d7760f98f6cc87b5baec69869ca4efdaa1693ac3576b5824e1e183
-- migration 20261128163500-store-the-time-of-a-rejection-1795883700000 2f2f8c274170b121dd69ea44d3dff104bed0aee0afd5565e7d31455e11ec0203
-- migration 20261128225000-count-submissions-of-claims-1795906200000 b1c79cdb69192361a8e702400196ea52d070c11b1ddd0aba9c2c69c62b586964
