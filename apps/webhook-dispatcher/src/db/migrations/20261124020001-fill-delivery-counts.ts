import type { Migration } from '@pay/persistence';

/**
 * Counts without a lock: rows and changes are read in one snapshot, and what was counted by the trigger before it is
 * subtracted.
 */
export const fillDeliveryCounts: Migration = {
  name: '20261124020001-fill-delivery-counts',
  sql: `
set local statement_timeout = 0;
insert into delivery_count_changes (merchant_id, environment, endpoint_id, event_type, status, deliveries)
select merchant_id, environment, endpoint_id, event_type, status, sum(deliveries) from (
  select merchant_id, environment, endpoint_id, event_type, status, count(*) as deliveries from deliveries group by 1, 2, 3, 4, 5
  union all
  select merchant_id, environment, endpoint_id, event_type, status, -deliveries from delivery_counts
  union all
  select merchant_id, environment, endpoint_id, event_type, status, -deliveries from delivery_count_changes
) as found group by 1, 2, 3, 4, 5 having sum(deliveries) <> 0;
`,
};
