import type { Migration } from '@pay/persistence';

/** The default sample size makes ANALYZE expensive. */
export const gatherFewStatisticsOfOpenClaims: Migration = {
  name: '20261127093001-gather-few-statistics-of-open-claims',
  sql: `alter index claims_open_since alter column 1 set statistics 10`,
};
