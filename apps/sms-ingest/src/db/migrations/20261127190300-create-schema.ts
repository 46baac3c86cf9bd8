import type { Migration } from '@pay/persistence';

export const createSchema: Migration = {
  name: '20261127190300-create-schema',
  replaces: '20261126033000-drop-columns-of-plain-texts',
  sql: `
-- One row per SMS that is no repeat: its text, what the parser read from it, and the decision about it. Money in poisha.
create table sms_events (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  device_id uuid not null,
  receiver_account_id uuid,
  -- As other people may see it; sealed_text contains the original.
  sender text not null,
  receiver_msisdn text,
  sim_slot integer,
  client_message_id text,
  received_at timestamptz not null,
  ingested_at timestamptz not null,
  parser_version text not null,
  -- Also wallets whose money is not collected: a balance can be followed only through all of its texts.
  provider text check (provider in ('BKASH', 'NAGAD', 'ROCKET', 'UPAY')),
  kind text,
  direction text,
  payment_method text,
  provider_time timestamptz,
  -- 0 in notices without money. Evidence has an amount.
  parsed_amount bigint check (parsed_amount >= 0),
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
  -- Of the newest decision of the reconciler that was applied; 0 before the first.
  decision_sequence integer not null default 0,
  parsed_commission bigint check (parsed_commission >= 0),
  -- The receiver of outgoing money.
  parsed_recipient_msisdn text,
  -- [{name, detail}]: properties that are more frequent in forged texts. Null in rows from before the first signal.
  signals jsonb,
  -- Sender and message as received, encrypted with a key that the database does not know. Null: deleted by retention.
  sealed_text text,
  -- The highest sequence of an event about this SMS. Each further event increments it in its transaction.
  announced_sequence integer not null default 1,
  -- A text that is parsed again is announced with it. Null in rows from before this column.
  authenticity text check (authenticity in ('device_key', 'signed', 'unsigned')),
  -- Epoch of the reconciler's database in which the applied decision was made. Null: none, or the event had none.
  decision_epoch integer,
  -- When an SMS without a decision was last announced again.
  reannounced_at timestamptz,
  -- When a merchant reported the format of the text.
  reported_at timestamptz,
  constraint sms_events_parsed_are_evidence check (status <> 'PARSED' or
    (provider is not null and payment_method is not null and provider_time is not null and parsed_amount is not null and parsed_trx_id is not null)),
  constraint sms_events_evidence_is_money_in
    check (payment_method is null or (provider in ('BKASH', 'NAGAD') and direction = 'IN' and parsed_amount > 0))
);
-- The id is SIMULATOR_DEVICE_ID of the contracts. It was added without a scan of the table.
alter table sms_events add constraint sms_events_simulated_in_sandbox
  check (environment = 'SANDBOX' or device_id <> '00000000-0000-8000-8000-000000000001') not valid;
-- PARSED means that the reconciler has not decided yet.
create index sms_events_undecided on sms_events (merchant_id, environment, ingested_at) where status = 'PARSED';
-- Texts that a newer parser may read.
create index sms_events_unparsed on sms_events (merchant_id, environment, id) where status = 'UNPARSED';
-- The messages that a device has delivered, by its own ids.
create index sms_events_by_device on sms_events (device_id, received_at) where client_message_id is not null;
-- For the merchant's list of texts. Ids are in the order of time: an insert adds at the end of the tenant's part of the index.
create index sms_events_of_tenant on sms_events (merchant_id, environment, id);
-- For the operator's list of reports.
create index sms_events_reported on sms_events (reported_at) where reported_at is not null;

-- Each way to recognise a repeated message, with its event. Keyed hashes, because a plain hash of a short text can be guessed.
create table sms_fingerprints (
  fingerprint bytea primary key check (length(fingerprint) = 32),
  sms_event_id uuid not null references sms_events (id) deferrable initially deferred,
  is_keyed boolean not null default true
);
-- Fingerprints are deleted with their SMS event.
create index sms_fingerprints_of_sms on sms_fingerprints (sms_event_id);

-- Keys with which texts are encrypted, each with a text that verifies it.
create table sms_text_keys (
  key_id text primary key,
  proof text not null,
  used_at timestamptz not null
);

-- The key of the fingerprints, encrypted: it must never change, also when the first key of the configuration does.
create table sms_secrets (
  name text primary key,
  sealed text not null
);

-- How far texts have been deleted. Ids are in the order of arrival.
create table sms_text_deletions (
  scope text primary key check (scope in ('UNDERSTOOD', 'UNPARSED')),
  done_until uuid not null
);

-- SMS that a process has accepted and not stored for a second. Expiry waits for them.
create table waiting_sms (
  process_id uuid not null,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  oldest timestamptz not null,
  reported_at timestamptz not null,
  primary key (process_id, merchant_id, environment)
);

-- A balance chain: all texts that show the balance of one wallet. A process locks its row while it follows the chain.
create table balance_chains (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  msisdn text not null
);

-- What one text says about the balance of its wallet, written with the text. Rows without a verdict are the work list.
create table balance_texts (
  sms_event_id uuid primary key,
  chain_id uuid not null,
  -- With the precision of the provider, which may be a minute.
  at timestamptz not null,
  received_at timestamptz not null,
  -- Poisha. Null: the text shows no balance, and its effect happened at an unknown place around its time.
  balance bigint check (balance >= 0),
  -- Possible effects on the balance, the usual one first; empty: unknown.
  effects bigint[] not null,
  -- The id that the reserve of a payment and its success share.
  pair text,
  -- Null until the text is examined.
  verdict text check (verdict in ('FIRST', 'FOLLOWS', 'GAP', 'BREAK', 'UNJUDGED')),
  -- The evidence has the signal balance_break.
  is_doubted boolean not null default false
);
create index balance_texts_by_time on balance_texts (chain_id, at, sms_event_id) where balance is not null;
create index balance_texts_without_balance on balance_texts (chain_id, at) where balance is null;
create index balance_texts_unexamined on balance_texts (chain_id, at, sms_event_id) where verdict is null;

-- Money that moved without a text: the balance before a text differs from the balance after the previous text.
create table missing_sms (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  chain_id uuid not null,
  msisdn text not null,
  receiver_account_ids uuid[] not null,
  direction text not null check (direction in ('IN', 'OUT')),
  amount bigint not null check (amount > 0),
  missing_from timestamptz not null,
  missing_to timestamptz not null check (missing_to >= missing_from),
  -- SUSPECTED: texts may still arrive; merchants do not see it.
  status text not null check (status in ('SUSPECTED', 'OPEN', 'EXPLAINED')),
  seen_at timestamptz not null,
  found_at timestamptz,
  explained_at timestamptz,
  -- The text after the gap.
  sms_event_id uuid not null,
  -- How often phones were asked to read their inboxes again since the last text arrived.
  asked integer not null default 0,
  check (status = 'SUSPECTED' or found_at is not null),
  check ((status = 'EXPLAINED') = (explained_at is not null))
);
create unique index missing_sms_one_per_text on missing_sms (sms_event_id) where status <> 'EXPLAINED';
create index missing_sms_suspected on missing_sms (seen_at) where status = 'SUSPECTED';
create index missing_sms_open_of_chain on missing_sms (chain_id, found_at desc) where status = 'OPEN';
create index missing_sms_of_tenant on missing_sms (merchant_id, environment, found_at desc, id) where status <> 'SUSPECTED';

-- One row per device that ever sent something. seen_at determines whether it is online; nothing is written while it is silent.
create table device_sightings (
  device_id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  seen_at timestamptz not null,
  heartbeat_at timestamptz,
  -- Content of the newest heartbeat.
  heartbeat jsonb check (jsonb_typeof(heartbeat) = 'object'),
  -- A phone that sent SMS for a day without a heartbeat has another app now.
  sends_heartbeat boolean not null generated always as
    (heartbeat_at is not null and seen_at - heartbeat_at < interval '1 day') stored,
  announced_at timestamptz not null default '-infinity',
  -- When its silence was noticed and when an alert was sent; null again when it is back.
  offline_at timestamptz,
  alerted_at timestamptz,
  -- It is expected to be silent: disabled, deleted, or of a merchant that is switched off.
  is_disabled boolean not null default false,
  merchant_is_off boolean not null default false
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
create index device_sightings_unannounced on device_sightings (announced_at) where seen_at > announced_at;
create index device_sightings_online on device_sightings (seen_at)
  where sends_heartbeat and offline_at is null and not is_disabled and not merchant_is_off;
create index device_sightings_offline on device_sightings (offline_at) where offline_at is not null;
create index device_sightings_by_merchant on device_sightings (merchant_id);

-- Messages of a device that another device, or another id, had delivered before: they have no event.
create table device_repeats (
  device_id uuid not null,
  received_at timestamptz not null,
  client_message_id text not null,
  sim_slot integer,
  primary key (device_id, received_at, client_message_id)
);
create index device_repeats_by_time on device_repeats (received_at);
`,
};
