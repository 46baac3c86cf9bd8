import { addUpChanges } from '@pay/persistence';

/** A trigger of deliveries writes the changes. */
export const addUpDeliveryCounts = addUpChanges({
  counts: 'delivery_counts',
  changes: 'delivery_count_changes',
  key: ['merchant_id', 'environment', 'endpoint_id', 'event_type', 'status'],
  sums: ['deliveries'],
});
