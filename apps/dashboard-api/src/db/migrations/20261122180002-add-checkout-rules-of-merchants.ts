import type { Migration } from '@pay/persistence';

export const addCheckoutRulesOfMerchants: Migration = {
  name: '20261122180002-add-checkout-rules-of-merchants',
  sql: `alter table merchants add column checkout jsonb check (jsonb_typeof(checkout) = 'object');`,
};
