import type { Migration } from '@pay/persistence';

/** checkout-api stores a decision only if it includes every submission of the claim. */
export const countSubmissionsOfClaims: Migration = {
  name: '20261128225000-count-submissions-of-claims',
  sql: `
alter table claims add column submissions integer;
comment on column claims.submissions is 'number of submissions received without a gap; null if all came from the previous version of checkout-api or were stored by that of the reconciler';
alter table claims alter submissions set statistics 10;
`,
};
