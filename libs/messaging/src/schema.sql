table binding_probes (
  queue text not null,
  publisher text not null,
  type text not null,
  seen bigint not null,
  ahead bigint[] not null,
  sent_at timestamp with time zone not null,
  published_until timestamp with time zone not null,
  missing_since timestamp with time zone,
  repaired_at timestamp with time zone,
  recorded_at timestamp with time zone default clock_timestamp() not null,
  constraint binding_probes_pkey PRIMARY KEY (queue, publisher, type)
);
CREATE INDEX binding_probes_missing ON binding_probes USING btree (queue) WHERE (missing_since IS NOT NULL);

table inbox (
  consumer text not null,
  message_id uuid not null,
  received_at timestamp with time zone default now() not null,
  constraint inbox_pkey PRIMARY KEY (consumer, message_id)
);

table inbox_suspects (
  consumer text not null,
  message_id uuid not null,
  begun integer not null,
  begun_at timestamp with time zone default now() not null,
  constraint inbox_suspects_pkey PRIMARY KEY (consumer, message_id)
);

table messaging_turns (
  name text not null,
  next_at timestamp with time zone default now() not null,
  constraint messaging_turns_pkey PRIMARY KEY (name)
);

table outbox (
  id uuid not null,
  seq bigint generated always as identity not null,
  type text not null,
  routing_key text not null,
  target_queue text,
  aggregate_id text not null,
  sequence bigint not null,
  merchant_id uuid,
  body text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  epoch integer,
  constraint outbox_pkey PRIMARY KEY (id)
);
CREATE INDEX outbox_created ON outbox USING btree (created_at, seq);

table outbox_pending (
  id uuid not null,
  next_try_at timestamp with time zone not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  tries integer default 0 not null,
  last_error text,
  constraint outbox_pending_pkey PRIMARY KEY (id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=20000, autovacuum_analyze_scale_factor=1);
CREATE INDEX outbox_pending_due ON outbox_pending USING btree (next_try_at);

table outbox_replays (
  id bigint generated always as identity not null,
  queue text not null,
  types text[] not null,
  since timestamp with time zone not null,
  requested_at timestamp with time zone default now() not null,
  asked integer default 1 not null,
  position_at timestamp with time zone,
  position_seq bigint,
  next_run_at timestamp with time zone default now() not null,
  published bigint default 0 not null,
  finished_at timestamp with time zone,
  stopped_at timestamp with time zone,
  constraint outbox_replays_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX outbox_replays_open ON outbox_replays USING btree (queue) WHERE (finished_at IS NULL);

table probes (
  type text not null,
  event_id uuid not null,
  number bigint default (EXTRACT(epoch FROM now()))::bigint not null,
  confirmed_at timestamp with time zone,
  constraint probes_pkey PRIMARY KEY (type)
);

table publisher_epoch (
  base integer default 0 not null,
  place text,
  epoch integer
);

table queue_repairs (
  queue text not null,
  started_at timestamp with time zone default now() not null,
  constraint queue_repairs_pkey PRIMARY KEY (queue)
);

table retention_positions (
  name text not null,
  "position" text,
  restarted_at timestamp with time zone default now() not null,
  constraint retention_positions_pkey PRIMARY KEY (name)
);

-- migration 20261127190000-create-messaging-1795806000000 002eac279b0b669ca45aa6e5fdcfbb62ea809a4bc1aeab3214a88dfe6faec4a8
-- migration 20261127190400-gather-few-statistics-1795806240000 cd74e0ebbaa4b4efaa10ef3ef938a902964361da0649736951c8c312b81c0760
