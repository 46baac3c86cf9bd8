import type { Migration } from '@pay/persistence';

export const createIntentCopiesAndClaims: Migration = {
  name: '20261121100000-create-intent-copies-and-claims',
  sql: `
create table intent_copies (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  sequence integer not null check (sequence > 0),
  intent jsonb not null,
  constraint intent_copies_are_of_their_id check (intent ->> 'id' = id::text)
);

-- undecided: not judged yet; waiting: the reconciler holds it until its SMS comes; settled: judged for good.
create table claims (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  intent_id uuid not null,
  trx_id text not null check (trx_id ~ '^[A-Z0-9]{6,20}$'),
  submitted_at timestamptz not null,
  state text not null default 'undecided' check (state in ('undecided', 'waiting', 'settled')),
  outcome text,
  sms_event_id uuid,
  judged_at timestamptz,
  constraint claims_one_per_intent_and_trx_id unique (intent_id, trx_id),
  constraint claims_judged_have_an_outcome check ((state = 'undecided') = (outcome is null) and (outcome is null) = (judged_at is null))
);

create index claims_undecided on claims (merchant_id, environment, submitted_at) where state = 'undecided';
`,
};
