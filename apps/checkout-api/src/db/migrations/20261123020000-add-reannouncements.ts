import type { Migration } from '@pay/persistence';

/** When a claim without a judgement was announced again last. */
export const addReannouncements: Migration = {
  name: '20261123020000-add-reannouncements',
  sql: 'alter table claims add column reannounced_at timestamptz;',
};
