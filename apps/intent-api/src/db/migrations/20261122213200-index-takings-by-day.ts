import type { Migration } from '@pay/persistence';

/** Retention deletes takings of past months. */
export const indexTakingsByDay: Migration = {
  name: '20261122213200-index-takings-by-day',
  transaction: false,
  sql: `create index concurrently if not exists receiver_takings_by_day on receiver_takings (day)`,
};
