import type { Migration } from '@pay/persistence';

/** For the operator's list of reports. */
export const indexReportedSmsEvents: Migration = {
  name: '20261123140502-index-reported-sms-events',
  transaction: false,
  sql: `create index concurrently if not exists sms_events_reported on sms_events (reported_at) where reported_at is not null`,
};
