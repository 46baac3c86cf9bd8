import type { Migration } from '@pay/persistence';

export const storeEarlyFailures: Migration = {
  name: '20261128134500-store-early-failures',
  sql: `
-- True if the delivery was sent early to a working endpoint and failed, after its last scheduled attempt.
alter table deliveries add column failed_early boolean not null default false;
alter table deliveries alter failed_early set statistics 10;
-- True if a merchant has caused it; false if the endpoint responds again.
alter table recoveries add column is_requested boolean not null default false;
alter table recoveries alter is_requested set statistics 10;
`,
};
