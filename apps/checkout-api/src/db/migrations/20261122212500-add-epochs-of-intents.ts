import type { Migration } from '@pay/persistence';

export const addEpochsOfIntents: Migration = {
  name: '20261122212500-add-epochs-of-intents',
  sql: `
-- Epoch of intent-api's database that counted the sequence. Null: stored by the version before, or the event did not say.
alter table intent_copies add column epoch integer;
alter table intent_copies alter epoch set statistics 10;
`,
};
