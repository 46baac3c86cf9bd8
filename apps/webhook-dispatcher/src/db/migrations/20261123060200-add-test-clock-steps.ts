import type { Migration } from '@pay/persistence';

export const addTestClockSteps: Migration = {
  name: '20261123060200-add-test-clock-steps',
  sql: `
-- How much time a SANDBOX tenant skips, and how much of it its deliveries have not played yet.
create table test_clock_steps (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment = 'SANDBOX'),
  milliseconds bigint not null check (milliseconds > 0),
  milliseconds_left bigint not null check (milliseconds_left between 0 and milliseconds),
  began_at timestamptz not null default clock_timestamp()
);
create index test_clock_steps_began on test_clock_steps (began_at);
`,
};
