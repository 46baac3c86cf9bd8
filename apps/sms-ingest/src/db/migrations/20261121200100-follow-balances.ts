import type { Migration } from '@pay/persistence';

export const followBalances: Migration = {
  name: '20261121200100-follow-balances',
  sql: `
-- A balance chain: all texts that tell of one wallet's balance. Its row is what a process holds while it follows the chain.
create table balance_chains (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  msisdn text not null
);

-- What one text says about the balance of its wallet. Written with the text; those that nobody has examined are the work list.
create table balance_texts (
  sms_event_id uuid primary key,
  chain_id uuid not null,
  -- To the minute, where the provider says it.
  at timestamptz not null,
  received_at timestamptz not null,
  -- Poisha. Null: it shows none, and what it did happened at an unknown place around its time.
  balance bigint check (balance >= 0),
  -- What it may have done to the balance, the usual first; empty: nobody knows.
  effects bigint[] not null,
  -- The id that the reserve of a payment and its success share.
  pair text,
  -- Null while nobody has examined it.
  verdict text check (verdict in ('FIRST', 'FOLLOWS', 'GAP', 'BREAK', 'UNJUDGED')),
  -- The signal balance_break stands.
  is_doubted boolean not null default false
);
create index balance_texts_by_time on balance_texts (chain_id, at, sms_event_id) where balance is not null;
create index balance_texts_without_balance on balance_texts (chain_id, at) where balance is null;
create index balance_texts_unexamined on balance_texts (chain_id, at, sms_event_id) where verdict is null;

-- Money that moved and no text tells of: the balance in front of a text is not the one after the text before it.
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
  -- SUSPECTED: texts may still be on their way; nobody is told.
  status text not null check (status in ('SUSPECTED', 'OPEN', 'EXPLAINED')),
  seen_at timestamptz not null,
  found_at timestamptz,
  explained_at timestamptz,
  -- The text behind the gap.
  sms_event_id uuid not null,
  -- How often phones were asked to read their inboxes again since a text came in last.
  asked integer not null default 0,
  check (status = 'SUSPECTED' or found_at is not null),
  check ((status = 'EXPLAINED') = (explained_at is not null))
);
create unique index missing_sms_one_per_text on missing_sms (sms_event_id) where status <> 'EXPLAINED';
create index missing_sms_suspected on missing_sms (seen_at) where status = 'SUSPECTED';
create index missing_sms_open_of_chain on missing_sms (chain_id, found_at desc) where status = 'OPEN';
create index missing_sms_of_tenant on missing_sms (merchant_id, environment, found_at desc, id) where status <> 'SUSPECTED';
`,
};
