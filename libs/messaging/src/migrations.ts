import type { Migration } from '@pay/persistence';

export const messagingMigrations: Migration[] = [
  {
    name: '20261127190000-create-messaging',
    replaces: '20261125220000-keep-only-written-columns-in-outbox',
    sql: `
-- Events, in the transaction of the change that they describe. body is text: exactly the committed bytes are published.
-- Rows are inserted once and deleted by retention.
create table outbox (
  id uuid primary key,
  seq bigint generated always as identity,
  type text not null,
  routing_key text not null,
  target_queue text,
  aggregate_id text not null,
  sequence bigint not null,
  merchant_id uuid,
  body text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Null: published without an epoch.
  epoch integer
);
-- Replays read in this order, and retention deletes the oldest rows.
create index outbox_created on outbox (created_at, seq);

-- Events to publish, deleted when the broker confirms them. A separate table, because an update of outbox would copy the
-- whole event and its index entries.
create table outbox_pending (
  id uuid primary key,
  next_try_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  tries integer not null default 0,
  last_error text
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_analyze_scale_factor = 1);
create index outbox_pending_due on outbox_pending (next_try_at);

-- Requests to publish again to one queue. At most one is open per queue.
create table outbox_replays (
  id bigint generated always as identity primary key,
  queue text not null,
  types text[] not null,
  since timestamptz not null,
  requested_at timestamptz not null default now(),
  asked integer not null default 1,
  position_at timestamptz,
  position_seq bigint,
  next_run_at timestamptz not null default now(),
  published bigint not null default 0,
  finished_at timestamptz,
  -- When an operator stopped the replay; finished_at is set, too.
  stopped_at timestamptz
);
create unique index outbox_replays_open on outbox_replays (queue) where finished_at is null;

-- The epoch is base plus the timeline of the server, read by the statement that writes an event. place: server, database
-- and table to which base belongs; epoch: the last one that was recorded.
-- One row and no index: every transaction that writes an event reads it, and a second row makes that fail.
create table publisher_epoch (
  base integer not null default 0,
  place text,
  epoch integer
);
insert into publisher_epoch default values;

-- Events whose effects are committed, per consumer. Retention deletes in the order of the primary key.
create table inbox (
  consumer text not null,
  message_id uuid not null,
  received_at timestamptz not null default now(),
  primary key (consumer, message_id)
);

-- Messages that are handled one at a time because the process may crash on them: how often handling began and never ended.
create table inbox_suspects (
  consumer text not null,
  message_id uuid not null,
  begun integer not null,
  begun_at timestamptz not null default now(),
  primary key (consumer, message_id)
);

-- Queues that were missing and that this service declares again. A row that survives a crash means that the replay was
-- not requested yet.
create table queue_repairs (
  queue text primary key,
  started_at timestamptz not null default now()
);

-- Periodic work that one replica does for all: it locks the row and moves next_at.
create table messaging_turns (
  name text primary key,
  next_at timestamptz not null default now()
);
insert into messaging_turns (name) values ('probe'), ('declare');

-- Per published type: the event that is sent again as a probe, and the number of the last probe that the broker confirmed.
-- Numbers begin with the time, so they also increase when the table was lost.
create table probes (
  type text primary key,
  event_id uuid not null,
  number bigint not null default extract(epoch from now())::bigint,
  confirmed_at timestamptz
);

-- Per binding: the last probe that was received without a gap, and later ones behind a gap.
create table binding_probes (
  queue text not null,
  publisher text not null,
  type text not null,
  seen bigint not null,
  ahead bigint[] not null,
  sent_at timestamptz not null,
  published_until timestamptz not null,
  -- The binding was missing: everything that was published since then must be replayed.
  missing_since timestamptz,
  repaired_at timestamptz,
  recorded_at timestamptz not null default clock_timestamp(),
  primary key (queue, publisher, type)
);
create index binding_probes_missing on binding_probes (queue) where missing_since is not null;

-- How far retention has deleted, per table and consumer: a sweep begins there, because dead index entries and kept rows lie
-- before it. Once a day it begins at the start, for the kept rows; a lock on the row excludes other replicas for one batch.
create table retention_positions (
  name text primary key,
  position text,
  restarted_at timestamptz not null default now()
);
`,
  },
];
