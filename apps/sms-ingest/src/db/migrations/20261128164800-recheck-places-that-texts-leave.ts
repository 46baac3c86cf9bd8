import type { Migration } from '@pay/persistence';

export const recheckPlacesThatTextsLeave: Migration = {
  name: '20261128164800-recheck-places-that-texts-leave',
  sql: `
-- A place of a chain that a text has left: a work item of the balance worker.
create table balance_rechecks (
  id uuid primary key,
  chain_id uuid not null,
  at timestamptz not null
);
alter table balance_rechecks
  alter id set statistics 10,
  alter chain_id set statistics 10,
  alter at set statistics 10;
create index balance_rechecks_of_chain on balance_rechecks (chain_id, at, id);
comment on column missing_sms.sms_event_id is 'text behind the gap, or balance_rechecks.id of the place that it has left';
`,
};
