import type { Migration } from '@pay/persistence';

/** The tables of this library; the first migrations of every service. */
export const messagingMigrations: Migration[] = [
  {
    name: '20261121080000-create-messaging',
    sql: `
-- Events in the transaction of the change they tell of. body is text: what is published is byte for byte what was committed.
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
  next_try_at timestamptz not null,
  published_at timestamptz,
  tries integer not null default 0,
  last_error text
) with (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05
);
create index outbox_unpublished on outbox (next_try_at) where published_at is null;
-- Replays read from it in order, retention deletes at its old end.
create index outbox_created on outbox (created_at, seq);

-- Events whose effects are committed, per consumer.
create table inbox (
  consumer text not null,
  message_id uuid not null,
  received_at timestamptz not null default now(),
  primary key (consumer, message_id)
) with (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05
);
create index inbox_received on inbox using brin (received_at) with (pages_per_range = 32);

-- Messages that are handled alone because the process may die of them: how often that was begun and never ended.
create table inbox_suspects (
  consumer text not null,
  message_id uuid not null,
  begun integer not null,
  begun_at timestamptz not null default now(),
  primary key (consumer, message_id)
);

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
  finished_at timestamptz
);
create unique index outbox_replays_open on outbox_replays (queue) where finished_at is null;

-- Queues that this service found missing and is making again. A row that survives a crash means: the replay has not been asked for.
create table queue_repairs (
  queue text primary key,
  started_at timestamptz not null default now()
);
`,
  },
  {
    name: '20261122110000-keep-what-is-to-be-published-apart',
    sql: `
-- What is still to be published, a small row each, which goes with the confirm of the broker. The outbox itself is only written and, a week
-- later, deleted: to mark an event there copied all of it, into every index too.
create table outbox_pending (
  id uuid primary key,
  next_try_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  tries integer not null default 0,
  last_error text
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_analyze_scale_factor = 1);
create index outbox_pending_due on outbox_pending (next_try_at);
insert into outbox_pending (id, next_try_at, created_at, tries, last_error)
  select id, next_try_at, created_at, tries, last_error from outbox where published_at is null;

-- Processes of the version before write next_try_at and mark published_at, for as long as they run; this version does neither.
alter table outbox alter next_try_at drop not null;
drop index outbox_unpublished;
create index outbox_unpublished on outbox (next_try_at) where published_at is null and next_try_at is not null;
create function note_event_of_version_before() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into outbox_pending (id, next_try_at) values (new.id, new.next_try_at);
  else
    delete from outbox_pending where id = new.id;
  end if;
  return null;
end $$;
create trigger outbox_written_by_version_before after insert on outbox
  for each row when (new.next_try_at is not null) execute function note_event_of_version_before();
create trigger outbox_published_by_version_before after update of published_at on outbox
  for each row when (new.published_at is not null) execute function note_event_of_version_before();
alter table outbox reset (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold, autovacuum_vacuum_insert_scale_factor,
  autovacuum_analyze_scale_factor);
`,
  },
  {
    name: '20261122150000-gather-few-statistics-of-messages',
    sql: `
-- Rows are found by their keys, of which every one is different: no plan depends on how their values are spread. The default sample of 30,000
-- rows, event bodies and all, was read anew with every tenth of growth, and cost as much as one insert in thirty.
alter table outbox
  alter id set statistics 10, alter seq set statistics 10, alter type set statistics 10, alter routing_key set statistics 10,
  alter target_queue set statistics 10, alter aggregate_id set statistics 10, alter sequence set statistics 10,
  alter merchant_id set statistics 10, alter body set statistics 0, alter created_at set statistics 10,
  alter next_try_at set statistics 10, alter published_at set statistics 10, alter tries set statistics 10,
  alter last_error set statistics 0;
alter table inbox
  alter consumer set statistics 10, alter message_id set statistics 10, alter received_at set statistics 10;
alter table inbox reset (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold, autovacuum_vacuum_insert_scale_factor,
  autovacuum_analyze_scale_factor);
`,
  },
  {
    name: '20261122190000-keep-retention-positions',
    sql: `
-- Up to where retention has deleted, per table and consumer. A sweep begins there: before it are dead index entries and what had to stay. Once a
-- day it begins at the start, for what had to stay. Locking the row keeps other replicas away for one batch.
create table retention_positions (
  name text primary key,
  position text,
  restarted_at timestamptz not null default now()
);
`,
  },
  {
    name: '20261122211000-watch-bindings',
    sql: `
-- Periodic work that one replica does for all: it takes the row and moves next_at.
create table messaging_turns (
  name text primary key,
  next_at timestamptz not null default now()
);
insert into messaging_turns (name) values ('probe'), ('declare');

-- Per published type: the event that is sent again as a probe, and the number of the last probe that the broker has confirmed. Numbers begin with the
-- time, so they also increase when the table was lost.
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
  -- The binding was missing: everything that was published since then is to be replayed.
  missing_since timestamptz,
  repaired_at timestamptz,
  recorded_at timestamptz not null default clock_timestamp(),
  primary key (queue, publisher, type)
);
create index binding_probes_missing on binding_probes (queue) where missing_since is not null;
`,
  },
  {
    name: '20261122212000-add-publisher-epoch',
    sql: `
-- The epoch is base plus the timeline of the server, taken by the statement that writes an event. place: server, database and table that base
-- belongs to; epoch: the last one that was noticed. One row, and no index: every transaction that writes an event reads it, and a second row
-- makes that fail.
create table publisher_epoch (
  base integer not null default 0,
  place text,
  epoch integer
);
insert into publisher_epoch default values;

-- Null: written by the version before epochs, and published without one.
alter table outbox add column epoch integer;
alter table outbox alter epoch set statistics 10;
`,
  },
  {
    name: '20261122214000-stop-replays',
    sql: `
-- When an operator has stopped the replay; finished_at is set, too.
alter table outbox_replays add column stopped_at timestamptz;
`,
  },
  {
    name: '20261123235500-gather-few-statistics',
    sql: `
-- Rows are found through indexes whatever the statistics say (planner-settings.ts). The default sample of 30,000 rows, JSON and
-- texts included, was read again with every tenth of a table's growth: 3 to 5 % of the processor time under full load. Never 0: then
-- ANALYZE would keep the values of its last sample, also those that retention has deleted since.
do $$
declare col record;
begin
  for col in
    select c.oid::regclass as name, a.attname, i.indexrelid, a.attnum
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_index i on i.indexrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relowner = current_user::regrole
       and (c.relkind in ('r', 'p') or i.indkey[a.attnum - 1] = 0)
     order by c.oid, a.attnum
  loop
    if col.indexrelid is null then
      execute format('alter table %s alter column %I set statistics 10', col.name, col.attname);
    else
      execute format('alter index %s alter column %s set statistics 10', col.name, col.attnum);
    end if;
  end loop;
end $$;
`,
  },
  {
    name: '20261124174200-drop-time-range-index-of-inbox',
    sql: `
-- Retention deletes in the order of the primary key.
drop index if exists inbox_received;
`,
  },
  {
    name: '20261125220000-keep-only-written-columns-in-outbox',
    sql: `
-- Versions before outbox_pending wrote these columns, and the triggers copied them. Nothing else uses them.
drop trigger outbox_written_by_version_before on outbox;
drop trigger outbox_published_by_version_before on outbox;
drop function note_event_of_version_before();
drop index outbox_unpublished;
alter table outbox drop column next_try_at, drop column published_at, drop column tries, drop column last_error;
`,
  },
];
