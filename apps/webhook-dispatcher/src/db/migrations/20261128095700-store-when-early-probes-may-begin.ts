import type { Migration } from '@pay/persistence';

export const storeWhenEarlyProbesMayBegin: Migration = {
  name: '20261128095700-store-when-early-probes-may-begin',
  sql: `
-- The latest time until which the endpoint asked to wait. Null: no failure since the last success.
alter table endpoints add column early_probes_from timestamptz;
alter table endpoints alter early_probes_from set statistics 10;
`,
};
