import type { Migration } from '@pay/persistence';

export const keepDeviceSightings: Migration = {
  name: '20261121200000-keep-device-sightings',
  sql: `
create table device_sightings (
  device_id uuid primary key,
  seen_at timestamptz not null,
  sends_heartbeat boolean not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
`,
};
