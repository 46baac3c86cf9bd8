import type { Migration } from '@pay/persistence';

/** Amounts in poisha, for the payment audit. Null: written by the version before, which names the amount only in the body. */
export const storeAmountsOfEvents: Migration = {
  name: '20261123054500-store-amounts-of-events',
  sql: `alter table events add column amount bigint;`,
};
