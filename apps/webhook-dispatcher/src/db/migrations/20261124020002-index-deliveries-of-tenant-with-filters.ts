import type { Migration } from '@pay/persistence';

/** A page is found in the index alone, however far back it is. Replaces `deliveries_of_tenant`. */
export const indexDeliveriesOfTenantWithFilters: Migration = {
  name: '20261124020002-index-deliveries-of-tenant-with-filters',
  transaction: false,
  sql: `create index concurrently if not exists deliveries_listed_of_tenant
    on deliveries (merchant_id, environment, id desc) include (status, event_type)`,
};
