import type { Migration } from '@pay/persistence';

/** The same for the deliveries of one endpoint. Replaces `deliveries_of_endpoint`. */
export const indexDeliveriesOfEndpointWithFilters: Migration = {
  name: '20261124020003-index-deliveries-of-endpoint-with-filters',
  transaction: false,
  sql: `create index concurrently if not exists deliveries_listed_of_endpoint
    on deliveries (endpoint_id, id desc) include (status, event_type)`,
};
