import type { Migration } from '@pay/persistence';

export const letMerchantsSetRulesAndLooks: Migration = {
  name: '20261121180000-let-merchants-set-rules-and-looks',
  sql: `
alter table merchants
  add column evidence_rules jsonb check (jsonb_typeof(evidence_rules) = 'object'),
  add column branding jsonb check (jsonb_typeof(branding) = 'object');
`,
};
