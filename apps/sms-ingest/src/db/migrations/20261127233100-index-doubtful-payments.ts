import type { Migration } from '@pay/persistence';

/** For alerts of merchants: texts that have paid and were passed over. */
export const indexDoubtfulPayments: Migration = {
  name: '20261127233100-index-doubtful-payments',
  transaction: false,
  sql: `create index concurrently if not exists sms_events_doubtful_payments on sms_events (merchant_id, environment, passed_over_at)
    where passed_over_at is not null and status in ('MATCHED', 'MANUALLY_RESOLVED')`,
};
