import type { Migration } from '@pay/persistence';

export const createEndpoints: Migration = {
  name: '20261121100000-create-endpoints',
  sql: `
create table endpoints (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  url text not null check (length(url) between 1 and 2000),
  event_types text[] not null check (cardinality(event_types) > 0),
  sealed_secret text not null,
  is_verified boolean not null default false,
  is_active boolean not null default true,
  disabled_reason text check (disabled_reason in ('GONE')),
  gone_at timestamptz,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint endpoints_live_is_https check (environment = 'SANDBOX' or url ilike 'https://%')
);
create index endpoints_of_tenant on endpoints (merchant_id, environment, id desc) where deleted_at is null;
comment on column endpoints.gone_at is 'when the endpoint first answered 410 in a row; a second 410 a minute later switches it off';
`,
};
