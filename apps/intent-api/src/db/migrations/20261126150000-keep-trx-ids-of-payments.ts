import type { Migration } from '@pay/persistence';

/** Null if no SMS has paid, and for payments that the version before applied. */
export const keepTrxIdsOfPayments: Migration = {
  name: '20261126150000-keep-trx-ids-of-payments',
  sql: `alter table payment_intents add column paid_trx_id text;
  alter table payment_intents alter column paid_trx_id set statistics 10;`,
};
