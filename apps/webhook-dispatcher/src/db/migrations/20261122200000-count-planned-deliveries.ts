import type { Migration } from '@pay/persistence';

/** How many deliveries were planned with an event, so that a missing one is noticed. Null: written by the previous version, not audited. */
export const countPlannedDeliveries: Migration = {
  name: '20261122200000-count-planned-deliveries',
  sql: `alter table events add column planned_deliveries smallint;`,
};
