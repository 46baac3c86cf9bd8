import type { Migration } from '@pay/persistence';

export const createSmsEvents: Migration = {
  name: '20261121100000-create-sms-events',
  sql: `
-- One row per SMS that is no repeat: what came, what was read from it, and what was decided about it. Money in poisha.
create table sms_events (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  device_id uuid not null,
  receiver_account_id uuid,
  sender text not null,
  message text not null,
  receiver_msisdn text,
  sim_slot integer,
  client_message_id text,
  received_at timestamptz not null,
  ingested_at timestamptz not null,
  parser_version text not null,
  provider text check (provider in ('BKASH', 'NAGAD')),
  kind text,
  direction text,
  payment_method text,
  provider_time timestamptz,
  parsed_amount bigint check (parsed_amount > 0),
  parsed_fee bigint check (parsed_fee >= 0),
  parsed_balance bigint check (parsed_balance >= 0),
  parsed_trx_id text,
  parsed_reference text,
  parsed_sender_msisdn text,
  status text not null check (status in
    ('RECEIVED', 'PARSED', 'UNPARSED', 'MATCH_PENDING', 'MATCHED', 'FAILED', 'MANUALLY_RESOLVED', 'REJECTED')),
  match_status text check (match_status in
    ('PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'FAILED', 'EXPIRED', 'UNPARSED', 'DUPLICATE', 'MANUALLY_RESOLVED', 'REJECTED')),
  payment_intent_id uuid,
  failure_reason text,
  -- Of the newest decision of the reconciler that has been applied; 0 while there is none.
  decision_sequence integer not null default 0,
  constraint sms_events_parsed_are_evidence check (status <> 'PARSED' or
    (provider is not null and payment_method is not null and provider_time is not null and parsed_amount is not null and parsed_trx_id is not null))
);

-- PARSED means that the reconciler has not decided yet.
create index sms_events_undecided on sms_events (merchant_id, environment, ingested_at) where status = 'PARSED';

-- Each way in which a message can be recognised when it comes again, and which event it is then.
create table sms_fingerprints (
  fingerprint bytea primary key check (length(fingerprint) = 32),
  sms_event_id uuid not null references sms_events (id) deferrable initially deferred
);
`,
};
