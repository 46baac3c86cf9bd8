import type { Migration } from '@pay/persistence';

export const keepHowTextsWereAuthenticated: Migration = {
  name: '20261122181002-keep-how-texts-were-authenticated',
  sql: `
-- Kept so that a text that is parsed again is announced as it was sent. Null in rows from before.
alter table sms_events
  add column authenticity text check (authenticity in ('device_key', 'signed', 'unsigned'));
`,
};
