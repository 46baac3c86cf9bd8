import type { Migration } from '@pay/persistence';

export const keepTrxIdsOfPaidIntents: Migration = {
  name: '20261123091000-keep-trx-ids-of-paid-intents',
  sql: `alter table intent_copies add column paid_trx_id text;`,
};
