import type { Migration } from '@pay/persistence';

/**
 * The mark is null for endpoints that were deleted before: each is checked once. The previous version leaves it null
 * and fails the deliveries itself.
 */
export const markDeletedEndpointsWithoutDeliveries: Migration = {
  name: '20261126141500-mark-deleted-endpoints-without-deliveries',
  sql: `
alter table endpoints add column deliveries_ended_at timestamptz;
alter table endpoints alter deliveries_ended_at set statistics 10;
comment on column endpoints.deliveries_ended_at is 'since when every delivery of this deleted endpoint has ended';
create index endpoints_to_end on endpoints (deleted_at) where deleted_at is not null and deliveries_ended_at is null;
`,
};
