import type { Migration } from '@pay/persistence';

export const addTestClocks: Migration = {
  name: '20261123060300-add-test-clocks',
  sql: `
-- The SANDBOX test clock of a merchant. It advances while there is time left to play; the step is the part of it that is under way.
create table test_clocks (
  merchant_id uuid primary key references merchants (id),
  environment text not null default 'SANDBOX' check (environment = 'SANDBOX'),
  advanced_ms bigint not null default 0 check (advanced_ms >= 0),
  request_id uuid,
  left_ms bigint not null default 0 check (left_ms >= 0),
  step_id uuid,
  step_ms bigint check (step_ms > 0 and step_ms <= left_ms),
  waits_for text check (waits_for in ('services', 'intake', 'webhooks', 'expiry')),
  played_at timestamptz not null default now(),
  constraint test_clocks_step_is_whole check ((step_id is null) = (step_ms is null))
);
create index test_clocks_advancing on test_clocks (played_at) where left_ms > 0;
`,
};
