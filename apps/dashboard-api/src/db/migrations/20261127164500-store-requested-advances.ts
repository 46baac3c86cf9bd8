import type { Migration } from '@pay/persistence';

export const storeRequestedAdvances: Migration = {
  name: '20261127164500-store-requested-advances',
  sql: `
-- Example: seconds=60. Compared when a requestId repeats.
alter table test_clocks add column requested text;
alter table test_clocks alter requested set statistics 10;
`,
};
