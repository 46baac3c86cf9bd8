import type { Migration } from '@pay/persistence';

export const addDecisionEpochs: Migration = {
  name: '20261122212400-add-decision-epochs',
  sql: `
-- Epoch of the reconciler's database in which the applied decision was made. Null: none, or the event did not say.
alter table sms_events add column decision_epoch integer;
`,
};
