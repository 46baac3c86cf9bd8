import type { Migration } from '@pay/persistence';

/** The payment audit reads the payments of a range of time. An index of paid rows alone costs one entry per payment. */
export const indexPaidIntents: Migration = {
  name: '20261122200000-index-paid-intents',
  sql: `create index payment_intents_paid on payment_intents (paid_at) where paid_at is not null;`,
};
