import type { Migration } from '@pay/persistence';

/** Tables of the copy and of its completeness, for every service that has one. */
export const directoryMigrations: Migration[] = [
  {
    name: '20261121090000-create-directory-copy',
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
  primary key (kind, id)
);
create index directory_facts_by_lookup_key on directory_facts (kind, lookup_key) where lookup_key is not null;
create index directory_facts_by_tenant on directory_facts (kind, merchant_id, environment);

-- One row per kind: when the owner was asked for everything, how often, and when everything had come.
create table directory_resends (
  kind text primary key,
  asked_at timestamptz,
  asked integer not null default 0,
  completed_at timestamptz
);
`,
  },
  {
    name: '20261122212100-add-epochs-of-facts',
    sql: `
-- Null: stored by the version before epochs. Copies that were complete ask once more, so that all their facts get the owner's epoch.
alter table directory_facts add column epoch integer;
alter table directory_resends add column epoch integer, add column wanted boolean not null default false;
update directory_resends set wanted = true where completed_at is not null;
`,
  },
  {
    name: '20261126033100-drop-unused-mark-of-resends',
    sql: `
alter table directory_resends drop column wanted;
`,
  },
];
