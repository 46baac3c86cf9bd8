import type { Migration } from '@pay/persistence';

/** When an SMS event without a decision was announced again last. */
export const addReannouncements: Migration = {
  name: '20261123020000-add-reannouncements',
  sql: 'alter table sms_events add column reannounced_at timestamptz;',
};
