import type { Migration } from '@pay/persistence';

export const directoryMigrations: Migration[] = [
  {
    name: '20261127190100-create-directory-copy',
    replaces: '20261126033100-drop-unused-mark-of-resends',
    sql: `
create table directory_facts (
  kind text not null check (kind in ('merchant', 'api_key', 'receiver_account', 'device')),
  id uuid not null,
  version bigint not null check (version > 0),
  deleted boolean not null,
  merchant_id uuid,
  environment text check (environment in ('SANDBOX', 'LIVE')),
  lookup_key text,
  data jsonb not null,
  -- Null: stored before facts had epochs.
  epoch integer,
  primary key (kind, id)
);
create index directory_facts_by_lookup_key on directory_facts (kind, lookup_key) where lookup_key is not null;
create index directory_facts_by_tenant on directory_facts (kind, merchant_id, environment);

-- Per kind: when and how often the owner was asked for all facts, and when all had arrived.
create table directory_resends (
  kind text primary key,
  asked_at timestamptz,
  asked integer not null default 0,
  completed_at timestamptz,
  epoch integer
);
`,
  },
];
