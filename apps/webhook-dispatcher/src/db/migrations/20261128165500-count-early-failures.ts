import type { Migration } from '@pay/persistence';

export const countEarlyFailures: Migration = {
  name: '20261128165500-count-early-failures',
  sql: `
-- Failed early attempts since the last scheduled one, without probes. failed_early: the last early attempt was one of them.
alter table deliveries add column early_failures integer not null default 0;
alter table deliveries alter early_failures set statistics 10;
`,
};
