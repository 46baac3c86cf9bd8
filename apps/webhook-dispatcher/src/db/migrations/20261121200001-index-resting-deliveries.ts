import type { Migration } from '@pay/persistence';

/** Held and failed ones: what a verification or a recovery makes due again. Built while deliveries are being written. */
export const indexRestingDeliveries: Migration = {
  name: '20261121200001-index-resting-deliveries',
  transaction: false,
  sql: `create index concurrently if not exists deliveries_resting on deliveries (endpoint_id, id)
    where next_attempt_at is null and status <> 'DELIVERED'`,
};
