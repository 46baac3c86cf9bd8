import type { Migration } from '@pay/persistence';

export const addSupportContactOfMerchants: Migration = {
  name: '20261123090000-add-support-contact-of-merchants',
  sql: `alter table merchants add column support jsonb check (jsonb_typeof(support) = 'object');`,
};
