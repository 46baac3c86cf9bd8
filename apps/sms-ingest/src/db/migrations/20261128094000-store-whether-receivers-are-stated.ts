import type { Migration } from '@pay/persistence';

export const storeWhetherReceiversAreStated: Migration = {
  name: '20261128094000-store-whether-receivers-are-stated',
  sql: `
-- Whether the forwarder stated receiver_msisdn; otherwise it is the number of the assigned wallet. Null: the previous
-- version stored the text, and re-parsing takes the number for stated, because a wrong wallet could be paid.
alter table sms_events add column receiver_is_stated boolean;
alter table sms_events alter receiver_is_stated set statistics 10;
`,
};
