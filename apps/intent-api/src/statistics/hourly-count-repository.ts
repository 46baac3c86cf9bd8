import { addUpChanges } from '@pay/persistence';

/** Triggers of payment_intents write the changes. */
export const addUpHourlyCounts = addUpChanges({
  counts: 'hourly_intent_counts',
  changes: 'hourly_intent_count_changes',
  key: ['merchant_id', 'environment', 'hour', 'payment_method'],
  sums: ['intents', 'paid'],
});
