import { addUpChanges } from '@pay/persistence';

/** Adds the changes that the trigger of deliveries has written to the counts. */
export const addUpDeliveryCounts = addUpChanges({
  counts: 'delivery_counts',
  changes: 'delivery_count_changes',
  key: ['merchant_id', 'environment', 'endpoint_id', 'event_type', 'status'],
  sums: ['deliveries'],
});
