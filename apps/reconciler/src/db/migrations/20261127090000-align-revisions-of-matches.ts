import type { Migration } from '@pay/persistence';

/** A match whose revision differs from that of its evidence is never read; erasures of payers changed only the latter. */
export const alignRevisions: Migration = {
  name: '20261127090000-align-revisions-of-matches',
  sql: `
update matches m set revision = e.revision from evidence e
where e.sms_event_id = m.sms_event_id and e.revision <> m.revision;
`,
};
