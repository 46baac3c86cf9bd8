import type { Migration } from '@pay/persistence';

/** Replicas continue one pass over all decisions, which may take longer than any process lives. */
export const storeThePlaceOfTheVerification: Migration = {
  name: '20261128100500-store-the-place-of-the-verification',
  sql: `
create table verification_pass (
  id smallint primary key default 1 check (id = 1),
  revision bigint not null default 0,
  started_at timestamptz not null default now(),
  verified_since timestamptz not null default now(),
  merchant_id uuid,
  environment text check (environment in ('SANDBOX', 'LIVE')),
  place jsonb
);
comment on column verification_pass.verified_since is 'start of the last completed pass; before the first one, the creation of this row';
comment on column verification_pass.place is 'place in the chain of the tenant; null: this tenant is verified';
alter table verification_pass
  alter id set statistics 10,
  alter revision set statistics 10,
  alter started_at set statistics 10,
  alter verified_since set statistics 10,
  alter merchant_id set statistics 10,
  alter environment set statistics 10,
  alter place set statistics 10;
insert into verification_pass default values;
`,
};
