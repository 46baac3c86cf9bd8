import type { Migration } from '@pay/persistence';

export const createSchema: Migration = {
  name: '20261127190300-create-schema',
  replaces: '20261124033000-keep-checkout-activity',
  sql: `
create table intent_copies (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  sequence integer not null check (sequence > 0),
  intent jsonb not null,
  -- Epoch of intent-api's database that counted the sequence. Null: the event had none.
  epoch integer,
  paid_trx_id text,
  constraint intent_copies_are_of_their_id check (intent ->> 'id' = id::text)
);

-- undecided: no decision yet; waiting: the reconciler keeps it until its SMS arrives; settled: the decision is final.
create table claims (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  intent_id uuid not null,
  trx_id text not null check (trx_id ~ '^[A-Z0-9]{6,20}$'),
  -- The first submission; resubmitted_at is the latest if there is another one.
  submitted_at timestamptz not null,
  state text not null default 'undecided' check (state in ('undecided', 'waiting', 'settled')),
  outcome text,
  sms_event_id uuid,
  judged_at timestamptz,
  resubmitted_at timestamptz,
  submissions integer not null default 1 check (submissions > 0),
  payer_digits text check (payer_digits ~ '^[0-9]{3}$'),
  -- When a claim without a decision was last announced again.
  reannounced_at timestamptz,
  constraint claims_one_per_intent_and_trx_id unique (intent_id, trx_id),
  constraint claims_judged_have_an_outcome
    check ((state = 'undecided') = (outcome is null) and (outcome is null) = (judged_at is null))
);
create index claims_undecided on claims (merchant_id, environment, submitted_at) where state = 'undecided';
-- For retention.
create index claims_submitted on claims (submitted_at);

-- What happened on the payment page of an intent. The key bounds the rows of one intent, however often its page is opened;
-- detail is the chosen method or the status in the redirect to the shop, else empty.
create table checkout_activity (
  intent_id uuid not null,
  action text not null check (action in ('viewed', 'method_chosen', 'cancelled', 'returned')),
  detail text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (intent_id, action, detail),
  constraint checkout_activity_in_order check (first_at <= last_at)
);

create table device_sightings (
  device_id uuid primary key,
  seen_at timestamptz not null,
  sends_heartbeat boolean not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
`,
};
