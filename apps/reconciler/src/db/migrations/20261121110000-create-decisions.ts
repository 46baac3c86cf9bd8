import type { Migration } from '@pay/persistence';

/**
 * What the reconciler owns: its copy of the intents with the status that it alone decides, the evidence, the claims, the matches.
 * The uniqueness of payments and the legal moves are laws of the database; code that breaks them fails here.
 */
export const createDecisions: Migration = {
  name: '20261121110000-create-decisions',
  sql: `
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
  constraint intents_one_per_reference unique (merchant_id, environment, reference_key)
);
create index intents_due on intents (expires_at) where status = 'PENDING';

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
  -- A claim does not know its provider: the TrxID comes before it, so that the same index finds it.
  constraint evidence_one_per_trx_id unique (merchant_id, environment, trx_id, provider)
);
create index evidence_unspent_by_reference on evidence (merchant_id, environment, reference_key)
  where state in ('WAITING', 'REVIEW', 'LAPSED') and reference_key is not null;
create index evidence_waiting_since on evidence (ingested_at) where state = 'WAITING';

create table claims (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  payment_intent_id uuid not null,
  trx_id text not null,
  submitted_at timestamptz not null,
  source text not null check (source in ('CHECKOUT', 'EXPECTED')),
  state text not null check (state in ('OPEN', 'SETTLED')),
  outcome text not null,
  reason text not null,
  sms_event_id uuid,
  sequence integer not null check (sequence >= 0)
);
create index claims_open_by_trx_id on claims (merchant_id, environment, trx_id) where state = 'OPEN';
create index claims_open_by_intent on claims (payment_intent_id, submitted_at) where state = 'OPEN';

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
  -- Set while, and only while, this match pays: an intent is paid by one match, a TrxID pays one intent, whoever decides.
  pays_intent_id uuid references intents (id),
  pays_sms_event_id uuid references evidence (sms_event_id),
  created_at timestamptz not null,
  window_ended_at timestamptz,
  resolved_at timestamptz,
  constraint matches_pay_what_they_are_about check (
    (pays_intent_id is null and pays_sms_event_id is null)
    or (pays_intent_id is not null and pays_sms_event_id is not null
        and pays_intent_id = payment_intent_id and pays_sms_event_id = sms_event_id)),
  constraint matches_pay_when_matched check (
    (status <> 'MATCHED' or pays_intent_id is not null)
    and (pays_intent_id is null or status in ('MATCHED', 'MANUALLY_RESOLVED')))
);
create unique index matches_one_pays_an_intent on matches (pays_intent_id) where pays_intent_id is not null;
create unique index matches_one_is_paid_by_an_sms on matches (pays_sms_event_id) where pays_sms_event_id is not null;

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

create function guard_match_move() returns trigger language plpgsql as $$
begin
  if (old.status = 'PENDING' and new.status in ('MATCHED', 'REVIEW_REQUIRED', 'EXPIRED', 'MANUALLY_RESOLVED', 'REJECTED'))
    or (old.status = 'REVIEW_REQUIRED' and new.status in ('MATCHED', 'MANUALLY_RESOLVED', 'REJECTED'))
    or (old.status = 'EXPIRED' and new.status in ('REVIEW_REQUIRED', 'MANUALLY_RESOLVED', 'REJECTED'))
    or (old.status = 'UNPARSED' and new.status in ('PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'FAILED', 'DUPLICATE'))
    or (old.status = 'FAILED' and new.status in ('MANUALLY_RESOLVED', 'REJECTED'))
  then
    return new;
  end if;
  raise exception 'match % cannot go from % to %', old.id, old.status, new.status
    using errcode = 'check_violation', constraint = 'matches_legal_moves';
end $$;
create trigger matches_legal_moves before update on matches
  for each row when (old.status is distinct from new.status) execute function guard_match_move();
`,
};
