import type { Migration } from '@pay/persistence';

export const gatherStatisticsOfWhatIsSearched: Migration = {
  name: '20261122150000-gather-statistics-of-what-is-searched',
  sql: `
-- Nobody looks for an intent by these, and those that are different in every row say nothing by their sample.
alter table payment_intents
  alter id set statistics 10, alter idempotency_key set statistics 10, alter reference_key set statistics 10,
  alter parameters_hash set statistics 0, alter sequence set statistics 0, alter decision_sequence set statistics 0,
  alter amount set statistics 0, alter currency set statistics 0, alter customer_reference set statistics 0,
  alter receiver_account_id set statistics 0, alter receiver_msisdn set statistics 0, alter shown_receivers set statistics 0,
  alter method_fixed set statistics 0, alter expected_trx_id set statistics 0, alter expected_sender_msisdn set statistics 0,
  alter customer_id set statistics 0, alter language set statistics 0, alter success_url set statistics 0,
  alter failed_url set statistics 0, alter cancel_url set statistics 0, alter expired_url set statistics 0,
  alter metadata set statistics 0, alter expires_at set statistics 0, alter paid_at set statistics 0,
  alter expired_at set statistics 0, alter failed_at set statistics 0, alter rejected_at set statistics 0,
  alter review_required_at set statistics 0, alter failure_reason set statistics 0;
`,
};
