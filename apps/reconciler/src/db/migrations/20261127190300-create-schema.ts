import type { Migration } from '@pay/persistence';

/** The database enforces the uniqueness of payments and the legal moves: code that breaks them fails. */
export const createSchema: Migration = {
  name: '20261127190300-create-schema',
  replaces: '20261127162100-extend-legal-moves-of-matches',
  sql: `
-- Copies of the intents, with the status that only this service decides.
create table intents (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  reference_key text not null,
  amount bigint not null check (amount > 0),
  status text not null check (status in ('PENDING', 'PAID', 'FAILED', 'EXPIRED', 'REJECTED', 'REVIEW_REQUIRED')),
  shown_receivers jsonb not null,
  expected_trx_id text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  source_sequence integer not null check (source_sequence > 0),
  decision_sequence integer not null default 0 check (decision_sequence >= 0),
  decided_by text not null default 'system' check (decided_by = 'system' or decided_by like 'user:_%'),
  expected_sender_msisdn text,
  -- Epoch of the database that counted source_sequence. Null: the event had none.
  source_epoch integer,
  constraint intents_one_per_reference unique (merchant_id, environment, reference_key)
);
create index intents_due on intents (expires_at) where status = 'PENDING';
create index intents_pending_of_tenant on intents (merchant_id, environment, id) where status = 'PENDING';
-- Suggestions for a person: intents of exactly this amount that the money may be meant for.
create index intents_unpaid_by_amount on intents (merchant_id, environment, amount, created_at)
  where status in ('PENDING', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED');

create function guard_intent_move() returns trigger language plpgsql as $$
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
end $$;
create trigger intents_legal_moves before update on intents
  for each row when (old.status is distinct from new.status) execute function guard_intent_move();

create function refuse_to_move_expiry() returns trigger language plpgsql as $$
begin
  if new.environment = 'SANDBOX' and new.expires_at < old.expires_at then
    return new;
  end if;
  raise exception 'the expiry of intent % moves in SANDBOX only, and to an earlier time only', new.id
    using errcode = 'check_violation', constraint = 'intents_expiry_moves';
end $$;
create trigger intents_expiry_moves before update of expires_at on intents
  for each row when (old.expires_at is distinct from new.expires_at) execute function refuse_to_move_expiry();

create table evidence (
  sms_event_id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  provider text not null,
  method text not null,
  trx_id text not null,
  reference_key text,
  amount bigint not null check (amount >= 0),
  receiver_account_id uuid,
  receiver_msisdn text,
  provider_time timestamptz not null,
  ingested_at timestamptz not null,
  state text not null check (state in ('WAITING', 'REVIEW', 'LAPSED', 'USED', 'CLOSED')),
  payer_msisdn text,
  signals jsonb not null default '[]',
  signals_sequence integer not null default 1,
  -- Counts replacements of facts and signals, here and in matches: a match belongs to the evidence of its revision.
  revision integer not null default 1,
  -- Null in rows from before this column: a device with its own key.
  authenticity text check (authenticity in ('device_key', 'signed', 'unsigned')),
  -- Epoch of the database that counted signals_sequence. Null: the event had none.
  signals_epoch integer,
  -- The end of the match window if a test clock moved it. Null: the usual time after ingested_at.
  waits_until timestamptz,
  -- A claim does not know its provider: the TrxID precedes it, so that the same index finds it.
  constraint evidence_one_per_trx_id unique (merchant_id, environment, trx_id, provider)
);
-- It was added without a scan of the table.
alter table evidence add constraint evidence_waits_until_in_sandbox
  check (waits_until is null or environment = 'SANDBOX') not valid;
create index evidence_unspent_by_reference on evidence (merchant_id, environment, reference_key)
  where state in ('WAITING', 'REVIEW', 'LAPSED') and reference_key is not null;
create index evidence_waiting_since on evidence (ingested_at) where state = 'WAITING';
create index evidence_waits_until on evidence (waits_until) where state = 'WAITING' and waits_until is not null;
-- Payments are searched by the number that paid. Evidence that still waits has no payment and is not in the index.
create index evidence_of_payer on evidence (merchant_id, environment, payer_msisdn, ingested_at desc)
  where payer_msisdn is not null and state in ('USED', 'REVIEW', 'CLOSED');

-- Signals of texts that are no evidence yet.
create table early_signals (
  sms_event_id uuid primary key,
  signals jsonb not null,
  sequence integer not null check (sequence > 0),
  stored_at timestamptz not null default now(),
  -- Epoch of the database that counted the sequence. Null: the event had none.
  epoch integer
);
create index early_signals_since on early_signals (stored_at);

create table claims (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  payment_intent_id uuid not null,
  trx_id text not null,
  -- The latest submission before the end of the intent; resubmitted_at is the latest of all if it is a later one.
  submitted_at timestamptz not null,
  source text not null check (source in ('CHECKOUT', 'EXPECTED')),
  state text not null check (state in ('OPEN', 'SETTLED')),
  outcome text not null,
  reason text not null,
  sms_event_id uuid,
  sequence integer not null check (sequence >= 0),
  resubmitted_at timestamptz,
  payer_digits text check (payer_digits ~ '^[0-9]{3}$')
);
-- Before claims_one_live_per_intent: while the table is empty both cost the same, and the order decides for this one.
create index claims_open_by_trx_id on claims (merchant_id, environment, trx_id) where state = 'OPEN';
create index claims_open_by_intent on claims (payment_intent_id, submitted_at) where state = 'OPEN';
-- A TrxID is claimed for an intent once at a time by its customer and once by its merchant.
create unique index claims_one_live_per_intent on claims (payment_intent_id, trx_id, source) where state = 'OPEN';
-- For evidence files, which contain settled claims, too.
create index claims_of_intent on claims (payment_intent_id, submitted_at);
-- For retention.
create index claims_submitted on claims (submitted_at);
-- Open claims past the match window. The condition is a separate expression: with state = 'OPEN', a plan from a time with
-- few open claims would scan this index for the claims of one TrxID.
create index claims_open_since
  on claims ((case when state = 'OPEN' then coalesce(resubmitted_at, submitted_at) end))
  where (case when state = 'OPEN' then coalesce(resubmitted_at, submitted_at) end) is not null;
-- For the search. Without open claims, because a statement that locks the open claims of a TrxID must not read all settled
-- ones.
create index claims_settled_by_trx_id on claims (merchant_id, environment, trx_id) where state = 'SETTLED';

create table matches (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  sms_event_id uuid not null constraint matches_one_per_sms unique,
  payment_intent_id uuid,
  path text check (path in ('REFERENCE', 'TRX_ID', 'MANUAL')),
  status text not null check (status in ('PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'FAILED', 'EXPIRED', 'UNPARSED',
    'DUPLICATE', 'MANUALLY_RESOLVED', 'REJECTED')),
  reason text not null,
  checks jsonb,
  paid_in_time boolean,
  expected_amount bigint,
  received_amount bigint,
  candidates jsonb not null default '[]',
  sms_sequence integer not null check (sms_sequence > 0),
  -- Set exactly while this match pays: one match pays an intent, and a TrxID pays one intent.
  pays_intent_id uuid references intents (id),
  pays_sms_event_id uuid references evidence (sms_event_id),
  created_at timestamptz not null,
  window_ended_at timestamptz,
  resolved_at timestamptz,
  doubts jsonb not null default '[]',
  -- Sequence of sms-ingest for the parse result that was decided.
  facts_sequence integer not null default 1,
  -- As in evidence.
  revision integer not null default 1,
  decided_by text not null default 'system' check (decided_by = 'system' or decided_by like 'user:_%'),
  resolution_note text check (length(resolution_note) between 1 and 500),
  assignee_id uuid,
  -- Copied from the evidence by a trigger.
  receiver_account_id uuid,
  -- Epoch of the database that counted facts_sequence. Null: the event had none.
  facts_epoch integer,
  constraint matches_pay_what_they_are_about check (
    (pays_intent_id is null and pays_sms_event_id is null)
    or (pays_intent_id is not null and pays_sms_event_id is not null
        and pays_intent_id = payment_intent_id and pays_sms_event_id = sms_event_id)),
  constraint matches_pay_when_matched check (
    (status <> 'MATCHED' or pays_intent_id is not null)
    and (pays_intent_id is null or status in ('MATCHED', 'MANUALLY_RESOLVED'))),
  constraint matches_pay_when_resolved check (status <> 'MANUALLY_RESOLVED' or pays_intent_id is not null),
  constraint matches_resolved_by_a_person check (
    status not in ('MANUALLY_RESOLVED', 'REJECTED') or (decided_by <> 'system' and resolution_note is not null))
);
-- An SMS pays once, too: matches_one_per_sms and matches_pay_what_they_are_about.
create unique index matches_one_pays_an_intent on matches (pays_intent_id) where pays_intent_id is not null;

-- The exceptions queue of a match: the problem while it is open, 'closed' after a person has decided. Null: in no queue.
create function exception_of(status text, reason text) returns text language sql immutable parallel safe as $$
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
$$;
create index matches_exceptions on matches
  (merchant_id, environment, exception_of(status, reason), created_at desc, id desc)
  where status not in ('MATCHED', 'DUPLICATE');
create index matches_exceptions_of_assignee on matches
  (merchant_id, environment, assignee_id, exception_of(status, reason), created_at desc, id desc)
  where assignee_id is not null and status not in ('MATCHED', 'DUPLICATE');
create index matches_exceptions_of_reason on matches
  (merchant_id, environment, reason, exception_of(status, reason), created_at desc, id desc)
  where status not in ('MATCHED', 'DUPLICATE');
create index matches_exceptions_of_receiver on matches
  (merchant_id, environment, receiver_account_id, exception_of(status, reason), created_at desc, id desc)
  where receiver_account_id is not null and status not in ('MATCHED', 'DUPLICATE');
create index matches_exceptions_of_amount on matches
  (merchant_id, environment, received_amount, exception_of(status, reason), created_at desc, id desc)
  where received_amount is not null and status not in ('MATCHED', 'DUPLICATE');
-- An intent is not deleted while a match that names it waits for a person.
create index matches_in_review_of_intent on matches (payment_intent_id)
  where status = 'REVIEW_REQUIRED' and payment_intent_id is not null;

-- Evidence is written before its match. A plan that was made while the table was empty would read all of it for each match,
-- therefore without sequential scans.
create function copy_receiver_of_match() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  select e.receiver_account_id into new.receiver_account_id from evidence e where e.sms_event_id = new.sms_event_id;
  return new;
end $$;
create trigger matches_know_their_receiver before insert on matches for each row
  when (new.status not in ('MATCHED', 'DUPLICATE', 'UNPARSED')) execute function copy_receiver_of_match();
create trigger matches_know_their_new_receiver before update on matches for each row
  when (old.facts_sequence is distinct from new.facts_sequence or old.facts_epoch is distinct from new.facts_epoch)
  execute function copy_receiver_of_match();

-- is_reparsed compares pairs as compareSequences does: the epoch decides when both sides have one, otherwise the numbers
-- alone. A promoted database of sms-ingest counts again from a lower sequence in a later epoch.
create function guard_match_move() returns trigger language plpgsql as $$
declare
  by_person constant boolean := new.decided_by like 'user:%';
  is_reparsed constant boolean := case
    when new.facts_epoch <> old.facts_epoch then new.facts_epoch > old.facts_epoch
    else new.facts_sequence > old.facts_sequence end;
begin
  if new.status in ('MANUALLY_RESOLVED', 'REJECTED') or old.status = 'REJECTED' then
    if by_person and (
      (new.status = 'MANUALLY_RESOLVED' and old.status in ('PENDING', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED'))
      or (new.status = 'REJECTED' and old.status in ('PENDING', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED', 'UNPARSED'))
      -- A person reopens excluded evidence.
      or (new.status = 'REVIEW_REQUIRED' and old.status = 'REJECTED'))
      -- A claim of another intent leads to evidence that was closed by rejecting an intent.
      or (not by_person and new.status = 'REVIEW_REQUIRED' and old.reason = 'rejected_by_person')
    then
      return new;
    end if;
  elsif (old.status = 'PENDING' and new.status in ('MATCHED', 'REVIEW_REQUIRED', 'EXPIRED', 'DUPLICATE'))
    or (old.status = 'REVIEW_REQUIRED' and new.status in ('MATCHED', 'DUPLICATE'))
    or (old.status = 'EXPIRED' and new.status in ('REVIEW_REQUIRED', 'DUPLICATE'))
    or (old.status = 'UNPARSED' and new.status in ('PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'FAILED', 'DUPLICATE'))
    or (is_reparsed and (
      (old.status = 'PENDING' and new.status = 'FAILED')
      or (old.status = 'REVIEW_REQUIRED' and new.status in ('PENDING', 'EXPIRED', 'FAILED'))
      or (old.status = 'EXPIRED' and new.status = 'FAILED')
      or (old.status = 'FAILED' and new.status in ('PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'DUPLICATE'))
      or (old.status = 'DUPLICATE' and new.status in ('PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'FAILED'))))
  then
    return new;
  end if;
  raise exception 'match % cannot go from % to % by %', old.id, old.status, new.status, new.decided_by
    using errcode = 'check_violation', constraint = 'matches_legal_moves';
end $$;
create trigger matches_legal_moves before update on matches
  for each row when (old.status is distinct from new.status) execute function guard_match_move();

-- A guarded update that missed a row fails in the database, so that COMMIT does not have to wait for its result.
create function refuse_unless_all_changed(kind text, changed bigint, expected bigint) returns void language plpgsql as $$
begin
  if changed <> expected then
    raise exception '% % changed under their decision', expected - changed, kind;
  end if;
end $$;

-- A claim that was refused because its TrxID has paid another intent. Like the id of a match, its id identifies an exception.
create table disputes (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  payment_intent_id uuid not null,
  trx_id text not null,
  sms_event_id uuid not null,
  submitted_at timestamptz not null,
  paid_intent_id uuid not null,
  paid_submitted_at timestamptz,
  received_amount bigint not null,
  receiver_account_id uuid,
  reason text not null default 'disputed_trx_id',
  created_at timestamptz not null,
  closed_at timestamptz,
  decided_by text not null default 'system' check (decided_by = 'system' or decided_by like 'user:_%'),
  resolution_note text check (length(resolution_note) between 1 and 500),
  assignee_id uuid,
  queue text not null generated always as (case when closed_at is null then 'disputed_trx_id' else 'closed' end) stored,
  constraint disputes_one_per_intent_and_trx_id unique (payment_intent_id, merchant_id, environment, trx_id),
  constraint disputes_closed_by_a_person check (closed_at is null or (decided_by <> 'system' and resolution_note is not null))
);
create index disputes_in_order on disputes (merchant_id, environment, queue, created_at desc, id desc);
create index disputes_open_of_trx_id on disputes (merchant_id, environment, trx_id) where closed_at is null;
create index disputes_of_sms on disputes (sms_event_id);

-- Every action of a person, by the id that recognises its repetition.
create table review_actions (
  id uuid primary key,
  match_id uuid references matches (id),
  action text not null check (action in ('resolve', 'link', 'reject', 'refunded', 'not-ours', 'reopen', 'assign')),
  actor_id uuid not null,
  actor_role text not null check (actor_role in ('OWNER', 'ADMIN', 'REVIEWER')),
  note text not null check (length(note) between 1 and 500),
  payment_intent_id uuid,
  assignee_id uuid,
  -- Warnings that the person saw and accepted.
  acknowledged jsonb not null default '{}',
  done_at timestamptz not null,
  dispute_id uuid references disputes (id),
  constraint review_actions_of_one_exception check (num_nonnulls(match_id, dispute_id) = 1)
);
create index review_actions_of_match on review_actions (match_id, done_at);
create index review_actions_of_dispute on review_actions (dispute_id, done_at) where dispute_id is not null;

-- Only retention deletes: 390 days are less than the shortest retention that can be set.
create function refuse_review_action_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.done_at < now() - interval '390 days' then
    return old;
  end if;
  raise exception 'review_actions are never changed' using errcode = 'check_violation', constraint = 'review_actions_are_final';
end $$;
create trigger review_actions_are_final before update or delete on review_actions
  for each row execute function refuse_review_action_change();

-- Every decision as it was made, signed with a key that the database does not know. A worker adds it to the chain of its
-- tenant.
create table decisions (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  match_id uuid not null,
  sms_event_id uuid,
  payment_intent_id uuid,
  decided_at timestamptz not null,
  -- Canonical JSON, exactly the signed bytes.
  record text not null,
  key_id text not null,
  mac bytea not null check (length(mac) = 32),
  position bigint check (position > 0),
  link_key_id text,
  link bytea check (length(link) = 32),
  -- Poisha that became PAID, for the payment audit; 0: no intent. Null: only the record has the amount.
  paid_amount bigint,
  -- For statistics: whether a person made the intent PAID, and the seconds since its SMS was ingested if the reference
  -- matched without a person.
  paid_by_person boolean,
  paid_seconds_after_sms double precision,
  check ((position is null) = (link is null) and (position is null) = (link_key_id is null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.05);
create unique index decisions_in_order on decisions (merchant_id, environment, position) where position is not null;
create index decisions_unsealed on decisions (merchant_id, environment, id) where position is null;
create index decisions_of_match on decisions (match_id);
create index decisions_of_intent on decisions (payment_intent_id) where payment_intent_id is not null;
alter table decisions alter paid_by_person set statistics 0, alter paid_seconds_after_sms set statistics 0;

create table decision_chains (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  position bigint not null default 0 check (position >= 0),
  -- Null: nothing is sealed yet.
  link bytea check (length(link) = 32),
  sealed_at timestamptz,
  -- The signed cut up to which retention has deleted decisions; cut_through is the time of the latest deleted one.
  cut_position bigint check (cut_position > 0),
  cut_link bytea check (length(cut_link) = 32),
  cut_through timestamptz,
  cut_key_id text,
  cut_mac bytea check (length(cut_mac) = 32),
  primary key (merchant_id, environment),
  check ((position = 0) = (link is null)),
  constraint decision_chains_cut_is_whole
    check (num_nulls(cut_position, cut_link, cut_through, cut_key_id, cut_mac) in (0, 5)),
  constraint decision_chains_cut_before_end check (cut_position <= position)
);

-- Only retention deletes, up to the signed cut.
create function refuse_decision_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.decided_at < now() - interval '390 days' and old.position <= (
    select cut_position from decision_chains c where c.merchant_id = old.merchant_id and c.environment = old.environment)
  then
    return old;
  end if;
  raise exception 'decision % is kept as it is', old.id
    using errcode = 'check_violation', constraint = 'decisions_are_kept';
end $$;
create trigger decisions_are_not_deleted before delete on decisions for each row execute function refuse_decision_change();
-- Sealing is the only change.
create trigger decisions_are_not_changed before update on decisions for each row
  when (old.position is not null or (old.id, old.merchant_id, old.environment, old.match_id, old.sms_event_id, old.payment_intent_id,
      old.decided_at, old.record, old.key_id, old.mac)
    is distinct from (new.id, new.merchant_id, new.environment, new.match_id, new.sms_event_id, new.payment_intent_id,
      new.decided_at, new.record, new.key_id, new.mac))
  execute function refuse_decision_change();

-- Work after a switch-off, stored in the transaction of its fact: pending intents of the tenant are decided again.
create table switch_offs (
  id bigint generated always as identity primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  -- Null: all pending intents of the tenant.
  payment_intent_id uuid,
  -- Pending intents up to this id are done.
  done_to uuid not null default '00000000-0000-0000-0000-000000000000',
  due_at timestamptz not null
);
create index switch_offs_due on switch_offs (due_at, id);

-- How far the deadlines of a SANDBOX tenant move.
create table test_clock_steps (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment = 'SANDBOX'),
  milliseconds bigint not null check (milliseconds > 0),
  began_at timestamptz not null default clock_timestamp(),
  is_moved boolean not null default false
);
create index test_clock_steps_began on test_clock_steps (began_at);
`,
};
