import type { Migration } from '@pay/persistence';

export const gatherFewStatisticsOfCopies: Migration = {
  name: '20261122150000-gather-few-statistics-of-copies',
  sql: `
-- A copy is found by its id and by nothing else: no plan depends on how the values of the others are spread.
alter table intent_copies
  alter id set statistics 10, alter merchant_id set statistics 10, alter environment set statistics 10,
  alter sequence set statistics 10, alter intent set statistics 0;
`,
};
