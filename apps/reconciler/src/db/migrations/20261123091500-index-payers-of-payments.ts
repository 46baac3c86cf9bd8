import type { Migration } from '@pay/persistence';

/** Payments are searched by the number that paid. Evidence that still waits has no payment, and stays out of the index. */
export const indexPayersOfPayments: Migration = {
  name: '20261123091500-index-payers-of-payments',
  transaction: false,
  sql: `create index concurrently if not exists evidence_of_payer on evidence (merchant_id, environment, payer_msisdn, ingested_at desc)
    where payer_msisdn is not null and state in ('USED', 'REVIEW', 'CLOSED')`,
};
