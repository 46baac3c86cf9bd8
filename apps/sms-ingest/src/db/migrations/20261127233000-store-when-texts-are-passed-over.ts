import type { Migration } from '@pay/persistence';

export const storeWhenTextsArePassedOver: Migration = {
  name: '20261127233000-store-when-texts-are-passed-over',
  sql: `
-- When the texts around this one were found to skip it. Null: they do not, or the previous version found it.
alter table sms_events add column passed_over_at timestamptz;
alter table sms_events alter passed_over_at set statistics 10;
`,
};
