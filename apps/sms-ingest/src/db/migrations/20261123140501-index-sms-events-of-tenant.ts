import type { Migration } from '@pay/persistence';

/** For the list of a merchant's texts. Ids are in the order of time: an insert adds at the end of the tenant's part of the index. */
export const indexSmsEventsOfTenant: Migration = {
  name: '20261123140501-index-sms-events-of-tenant',
  transaction: false,
  sql: `create index concurrently if not exists sms_events_of_tenant on sms_events (merchant_id, environment, id)`,
};
