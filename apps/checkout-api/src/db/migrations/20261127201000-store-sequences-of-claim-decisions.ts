import type { Migration } from '@pay/persistence';

export const storeSequencesOfClaimDecisions: Migration = {
  name: '20261127201000-store-sequences-of-claim-decisions',
  sql: `
-- Of the stored decision. Null: none, or stored by the previous version.
alter table claims add column decision_epoch integer, add column decision_sequence integer;
alter table claims alter decision_epoch set statistics 0, alter decision_sequence set statistics 0;
`,
};
