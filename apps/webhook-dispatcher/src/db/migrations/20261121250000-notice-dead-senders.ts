import type { Migration } from '@pay/persistence';

/** A process of the version before has no row: what it leaves behind when it is killed waits for the end of its lease, as it did. */
export const noticeDeadSenders: Migration = {
  name: '20261121250000-notice-dead-senders',
  sql: `
create table senders (
  id uuid primary key,
  started_at timestamptz not null default now(),
  missed_at timestamptz
);
comment on table senders is 'processes that lease deliveries; each holds a lock of its session while it lives';
comment on column senders.missed_at is 'since when nobody holds its lock';

alter table deliveries add column planned_at timestamptz;
comment on column deliveries.planned_at is 'of a delivery that was made due early, to probe its endpoint: when its turn was';
`,
};
