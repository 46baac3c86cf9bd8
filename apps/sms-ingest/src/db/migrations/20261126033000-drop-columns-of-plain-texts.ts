import type { Migration } from '@pay/persistence';

/** Statements no longer write `is_keyed`, which the version before still does. */
export const dropColumnsOfPlainTexts: Migration = {
  name: '20261126033000-drop-columns-of-plain-texts',
  sql: `
-- All texts are in sealed_text, and all fingerprints are keyed; no version reads these any more.
drop index sms_events_plain;
alter table sms_events drop column message;
drop index sms_fingerprints_plain;
alter table sms_fingerprints alter is_keyed set default true;
`,
};
