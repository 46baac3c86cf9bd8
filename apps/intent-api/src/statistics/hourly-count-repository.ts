import { addUpChanges } from '@pay/persistence';

/** Adds the changes that the triggers of intents have written to the hourly counts. */
export const addUpHourlyCounts = addUpChanges({
  counts: 'hourly_intent_counts',
  changes: 'hourly_intent_count_changes',
  key: ['merchant_id', 'environment', 'hour', 'payment_method'],
  sums: ['intents', 'paid'],
});
