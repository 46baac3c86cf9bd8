import type { Migration } from '@pay/persistence';

export const watchDevices: Migration = {
  name: '20261121200200-watch-devices',
  sql: `
-- One row per device that was ever heard of. Whether it is online follows from seen_at; nothing is written while it is silent.
create table device_sightings (
  device_id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  seen_at timestamptz not null,
  heartbeat_at timestamptz,
  -- What the newest heartbeat said.
  heartbeat jsonb check (jsonb_typeof(heartbeat) = 'object'),
  -- A phone that sent SMS for a day without one heartbeat has another app now.
  sends_heartbeat boolean not null generated always as
    (heartbeat_at is not null and seen_at - heartbeat_at < interval '1 day') stored,
  announced_at timestamptz not null default '-infinity',
  -- When its silence was noticed and when it was told of; null again when it is back.
  offline_at timestamptz,
  alerted_at timestamptz,
  -- It may not be heard of: disabled, deleted, or of a merchant that is switched off.
  is_disabled boolean not null default false,
  merchant_is_off boolean not null default false
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
create index device_sightings_unannounced on device_sightings (announced_at) where seen_at > announced_at;
create index device_sightings_online on device_sightings (seen_at)
  where sends_heartbeat and offline_at is null and not is_disabled and not merchant_is_off;
create index device_sightings_offline on device_sightings (offline_at) where offline_at is not null;
create index device_sightings_by_merchant on device_sightings (merchant_id);

-- Which messages a device has brought, as it calls them.
create index sms_events_by_device on sms_events (device_id, received_at) where client_message_id is not null;

-- The same of messages that another device, or another id, had brought before: they have no event of their own.
create table device_repeats (
  device_id uuid not null,
  received_at timestamptz not null,
  client_message_id text not null,
  sim_slot integer,
  primary key (device_id, received_at, client_message_id)
);
create index device_repeats_by_time on device_repeats (received_at);
`,
};
