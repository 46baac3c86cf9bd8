import type { Migration } from '@pay/persistence';

/** Since `events_by_time` no query uses it. */
export const dropTimeRangeIndexOfEvents: Migration = {
  name: '20261124174000-drop-time-range-index-of-events',
  sql: 'drop index if exists events_created;',
};
