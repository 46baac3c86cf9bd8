import type { Migration } from '@pay/persistence';

/**
 * Retention deletes from the feed in the order of time. The BRIN index `events_created` is used by the previous version alone and can be
 * dropped in a later release.
 */
export const indexFeedByTime: Migration = {
  name: '20261122213000-index-feed-by-time',
  transaction: false,
  sql: `create index concurrently if not exists events_by_time on events (created_at)`,
};
