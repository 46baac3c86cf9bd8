import type { Migration } from '@pay/persistence';

export const addAuthenticityOfEvidence: Migration = {
  name: '20261122181000-add-authenticity-of-evidence',
  sql: `
-- Null in rows from before, and in those that an older version of the service writes: a device with its own key.
alter table evidence
  add column authenticity text check (authenticity in ('device_key', 'signed', 'unsigned'));
`,
};
