import type { Migration } from '@pay/persistence';

/**
 * For the search. It does not contain open claims: a statement that locks the open claims of a TrxID must not read all
 * settled ones, and a new claim is written to no further index.
 */
export const indexSettledClaims: Migration = {
  name: '20261127125500-index-settled-claims-by-trx-id',
  transaction: false,
  sql: `create index concurrently if not exists claims_settled_by_trx_id on claims (merchant_id, environment, trx_id)
    where state = 'SETTLED'`,
};
