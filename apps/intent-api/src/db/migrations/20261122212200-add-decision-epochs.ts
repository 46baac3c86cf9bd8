import type { Migration } from '@pay/persistence';

export const addDecisionEpochs: Migration = {
  name: '20261122212200-add-decision-epochs',
  sql: `
-- Of the decision that was applied last. Null: none, or applied by the version before epochs.
alter table payment_intents add column decision_epoch integer, add column decision_hash integer;
alter table payment_intents alter decision_epoch set statistics 0, alter decision_hash set statistics 0;
`,
};
