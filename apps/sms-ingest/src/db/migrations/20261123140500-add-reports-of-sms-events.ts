import type { Migration } from '@pay/persistence';

/** When a merchant reported the format of a text. */
export const addReportsOfSmsEvents: Migration = {
  name: '20261123140500-add-reports-of-sms-events',
  sql: 'alter table sms_events add column reported_at timestamptz;',
};
