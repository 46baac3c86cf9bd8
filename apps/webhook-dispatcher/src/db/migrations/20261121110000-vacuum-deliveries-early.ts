import type { Migration } from '@pay/persistence';

/**
 * Each delivery is written, leased and settled: three row versions, of which one lives. Left to the default, a fifth of a large
 * table would have to die before the dead entries at the head of the queue's index go.
 */
export const vacuumDeliveriesEarly: Migration = {
  name: '20261121110000-vacuum-deliveries-early',
  sql: `
alter table deliveries set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05
);
alter table attempts set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.05
);
`,
};
