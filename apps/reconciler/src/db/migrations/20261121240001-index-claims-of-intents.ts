import type { Migration } from '@pay/persistence';

/** For evidence files, which tell of settled claims too. */
export const indexClaimsOfIntents: Migration = {
  name: '20261121240001-index-claims-of-intents',
  sql: 'create index claims_of_intent on claims (payment_intent_id, submitted_at);',
};
