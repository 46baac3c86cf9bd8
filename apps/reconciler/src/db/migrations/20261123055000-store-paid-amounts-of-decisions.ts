import type { Migration } from '@pay/persistence';

/**
 * What a decision made PAID, in poisha, for the payment audit; 0: it made no intent PAID. Null: stored by the version before, which names
 * it only in the record. Verification compares it with the signed record.
 */
export const storePaidAmountsOfDecisions: Migration = {
  name: '20261123055000-store-paid-amounts-of-decisions',
  sql: `alter table decisions add column paid_amount bigint;`,
};
