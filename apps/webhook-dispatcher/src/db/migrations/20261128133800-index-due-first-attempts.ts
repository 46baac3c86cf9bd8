import type { Migration } from '@pay/persistence';

/** For claims, which prefer first attempts. */
export const indexDueFirstAttempts: Migration = {
  name: '20261128133800-index-due-first-attempts',
  transaction: false,
  sql: `create index concurrently if not exists deliveries_due_first on deliveries (endpoint_id, next_attempt_at)
    where next_attempt_at is not null and attempt = 0`,
};
