import type { Migration } from '@pay/persistence';

export const addEpochsOfFacts: Migration = {
  name: '20261122212300-add-epochs-of-facts',
  sql: `
-- Epochs of the databases that counted the sequences beside them. Null: stored by the version before, or the event did not say.
alter table intents add column source_epoch integer;
alter table matches add column facts_epoch integer;
alter table evidence add column signals_epoch integer;
alter table early_signals add column epoch integer;
`,
};
