import type { Migration } from '@pay/persistence';

/** A claim that was refused because its TrxID has paid another intent. Its id is the id of an exception, as a match's is. */
export const addDisputes: Migration = {
  name: '20261122180001-add-disputes',
  sql: `
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

alter table review_actions
  alter column match_id drop not null,
  add column dispute_id uuid references disputes (id),
  add constraint review_actions_of_one_exception check (num_nonnulls(match_id, dispute_id) = 1);
create index review_actions_of_dispute on review_actions (dispute_id, done_at) where dispute_id is not null;
`,
};
