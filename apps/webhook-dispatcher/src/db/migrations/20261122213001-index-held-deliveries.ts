import type { Migration } from '@pay/persistence';

/** Deliveries that wait without a time for their next attempt: found without reading those that ended. */
export const indexHeldDeliveries: Migration = {
  name: '20261122213001-index-held-deliveries',
  transaction: false,
  sql: `create index concurrently if not exists deliveries_held on deliveries (id)
    where next_attempt_at is null and status in ('PENDING', 'RETRYING')`,
};
