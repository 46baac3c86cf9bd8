import type { Migration } from '@pay/persistence';

/** All fingerprints are keyed. The previous version neither reads nor writes the column. */
export const dropIsKeyedOfFingerprints: Migration = {
  name: '20261127230000-drop-is-keyed-of-fingerprints',
  sql: `
alter table sms_fingerprints drop column is_keyed;
`,
};
