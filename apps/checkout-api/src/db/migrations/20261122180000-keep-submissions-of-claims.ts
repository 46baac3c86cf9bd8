import type { Migration } from '@pay/persistence';

/** `submitted_at` is the first submission, `resubmitted_at` the latest when there is another one. */
export const keepSubmissionsOfClaims: Migration = {
  name: '20261122180000-keep-submissions-of-claims',
  sql: `
alter table claims
  add column resubmitted_at timestamptz,
  add column submissions integer not null default 1 constraint claims_submissions_check check (submissions > 0),
  add column payer_digits text constraint claims_payer_digits_check check (payer_digits ~ '^[0-9]{3}$');

-- For the deletion of claims that are past their retention.
create index claims_submitted on claims (submitted_at);
`,
};
