import type { Migration } from '@pay/persistence';

/**
 * Finds open claims past the match window. Its condition is an expression of its own: with `state = 'OPEN'`, a plan from
 * a time with few open claims would scan this index for the claims of one TrxID.
 */
export const indexOpenClaims: Migration = {
  name: '20261127093000-index-open-claims-by-their-latest-submission',
  transaction: false,
  sql: `create index concurrently if not exists claims_open_since
    on claims ((case when state = 'OPEN' then coalesce(resubmitted_at, submitted_at) end))
    where (case when state = 'OPEN' then coalesce(resubmitted_at, submitted_at) end) is not null`,
};
