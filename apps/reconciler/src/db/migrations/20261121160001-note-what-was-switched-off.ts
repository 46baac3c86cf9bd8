import type { Migration } from '@pay/persistence';

/** Work that a switch-off leaves behind, in the transaction of its fact: pending intents of the tenant have to be looked at. */
export const noteSwitchOffs: Migration = {
  name: '20261121160001-note-what-was-switched-off',
  sql: `
create table switch_offs (
  id bigint generated always as identity primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  -- Null: all pending intents of the tenant.
  payment_intent_id uuid,
  -- Pending intents up to this id have been looked at.
  done_to uuid not null default '00000000-0000-0000-0000-000000000000',
  due_at timestamptz not null
);
create index switch_offs_due on switch_offs (due_at, id);

create index intents_pending_of_tenant on intents (merchant_id, environment, id) where status = 'PENDING';
`,
};
