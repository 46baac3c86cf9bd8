import type { Migration } from '@pay/persistence';

export const knowWhenDevicesWereSeen: Migration = {
  name: '20261121210200-know-when-devices-were-seen',
  sql: `
-- News from sms-ingest, not state of ours: no version, no history, and older news never wins.
create table device_sightings (
  device_id uuid primary key,
  seen_at timestamptz not null,
  sends_heartbeat boolean not null
);
`,
};
