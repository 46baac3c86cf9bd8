import type { Migration } from '@pay/persistence';

/** A step moves these intents alone; null: all open intents of its tenant. */
export const nameIntentsOfSteps: Migration = {
  name: '20261123070500-name-intents-of-steps',
  sql: `alter table test_clock_steps add column intent_ids uuid[] check (cardinality(intent_ids) > 0);`,
};
