table attempts (
  delivery_id uuid not null,
  attempt integer not null,
  trigger text not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  outcome text,
  http_status integer,
  detail text,
  headers_ms integer,
  total_ms integer,
  response text,
  worker_id uuid not null,
  sent_at timestamp with time zone,
  response_headers text,
  constraint attempts_attempt_check CHECK ((attempt > 0)),
  constraint attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id),
  constraint attempts_pkey PRIMARY KEY (delivery_id, attempt),
  constraint attempts_trigger_check CHECK ((trigger = ANY (ARRAY['schedule'::text, 'probe'::text, 'resend'::text, 'recover'::text]))) NOT VALID
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, autovacuum_analyze_scale_factor=0.05);

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

table deliveries (
  id uuid not null,
  endpoint_id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  payment_intent_id uuid,
  event_id uuid not null,
  event_type text not null,
  occurred_at timestamp with time zone not null,
  idempotency_key text not null,
  body text not null,
  status text default 'PENDING'::text not null,
  attempt integer default 0 not null,
  status_code integer,
  next_attempt_at timestamp with time zone,
  lease_owner uuid,
  delivered_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  schedule_from integer default 0 not null,
  resends integer default 0 not null,
  next_trigger text,
  ended_at timestamp with time zone,
  planned_at timestamp with time zone,
  constraint deliveries_attempt_check CHECK ((attempt >= 0)),
  constraint deliveries_delivered_has_time CHECK (((status = 'DELIVERED'::text) = (delivered_at IS NOT NULL))),
  constraint deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES endpoints(id),
  constraint deliveries_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint deliveries_final_rests CHECK (((status = ANY (ARRAY['PENDING'::text, 'RETRYING'::text])) OR ((next_attempt_at IS NULL) AND (lease_owner IS NULL)))),
  constraint deliveries_lease_ends CHECK (((lease_owner IS NULL) OR (next_attempt_at IS NOT NULL))),
  constraint deliveries_once_per_endpoint UNIQUE (endpoint_id, idempotency_key),
  constraint deliveries_pkey PRIMARY KEY (id),
  constraint deliveries_resends_check CHECK ((resends >= 0)),
  constraint deliveries_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'RETRYING'::text, 'FAILED'::text])))
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_threshold=1000, autovacuum_analyze_scale_factor=0.05);
CREATE INDEX deliveries_due ON deliveries USING btree (endpoint_id, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX deliveries_held ON deliveries USING btree (id) WHERE ((next_attempt_at IS NULL) AND (status = ANY (ARRAY['PENDING'::text, 'RETRYING'::text])));
CREATE INDEX deliveries_listed_of_endpoint ON deliveries USING btree (endpoint_id, id DESC) INCLUDE (status, event_type);
CREATE INDEX deliveries_listed_of_tenant ON deliveries USING btree (merchant_id, environment, id DESC) INCLUDE (status, event_type);
CREATE INDEX deliveries_of_intent ON deliveries USING btree (payment_intent_id);
CREATE INDEX deliveries_open_of_tenant ON deliveries USING btree (merchant_id, environment, status, id DESC) WHERE (status <> 'DELIVERED'::text);
CREATE INDEX deliveries_resting ON deliveries USING btree (endpoint_id, id) WHERE ((next_attempt_at IS NULL) AND (status <> 'DELIVERED'::text));
CREATE TRIGGER deliveries_added AFTER INSERT ON deliveries REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION count_deliveries();
CREATE TRIGGER deliveries_changed AFTER UPDATE ON deliveries REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION count_deliveries();
CREATE TRIGGER deliveries_deleted AFTER DELETE ON deliveries REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION count_deliveries();

table delivery_count_changes (
  merchant_id uuid not null,
  environment text not null,
  endpoint_id uuid not null,
  event_type text not null,
  status text not null,
  deliveries bigint not null
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=20000, autovacuum_analyze_scale_factor=1);
CREATE INDEX delivery_count_changes_of_tenant ON delivery_count_changes USING btree (merchant_id, environment);

table delivery_counts (
  merchant_id uuid not null,
  environment text not null,
  endpoint_id uuid not null,
  event_type text not null,
  status text not null,
  deliveries bigint not null,
  constraint delivery_counts_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint delivery_counts_pkey PRIMARY KEY (merchant_id, environment, endpoint_id, event_type, status)
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);

table directory_facts (
  kind text not null,
  id uuid not null,
  version bigint not null,
  deleted boolean not null,
  merchant_id uuid,
  environment text,
  lookup_key text,
  data jsonb not null,
  epoch integer,
  constraint directory_facts_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint directory_facts_kind_check CHECK ((kind = ANY (ARRAY['merchant'::text, 'api_key'::text, 'receiver_account'::text, 'device'::text]))),
  constraint directory_facts_pkey PRIMARY KEY (kind, id),
  constraint directory_facts_version_check CHECK ((version > 0))
);
CREATE INDEX directory_facts_by_lookup_key ON directory_facts USING btree (kind, lookup_key) WHERE (lookup_key IS NOT NULL);
CREATE INDEX directory_facts_by_tenant ON directory_facts USING btree (kind, merchant_id, environment);

table directory_resends (
  kind text not null,
  asked_at timestamp with time zone,
  asked integer default 0 not null,
  completed_at timestamp with time zone,
  epoch integer,
  constraint directory_resends_pkey PRIMARY KEY (kind)
);

table endpoints (
  id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  url text not null,
  event_types text[] not null,
  sealed_secret text not null,
  is_verified boolean default false not null,
  is_active boolean default true not null,
  disabled_reason text,
  gone_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  verified_at timestamp with time zone,
  next_sealed_secret text,
  secret_overlap_ends_at timestamp with time zone,
  failing_since timestamp with time zone,
  failed_attempts integer default 0 not null,
  warned_level smallint default 0 not null,
  breaker_failures integer default 0 not null,
  breaker_wait double precision,
  breaker_until timestamp with time zone,
  recovered_at timestamp with time zone,
  deliveries_ended_at timestamp with time zone,
  constraint endpoints_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['GONE'::text, 'NO_SUCCESS'::text]))),
  constraint endpoints_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint endpoints_event_types_check CHECK ((cardinality(event_types) > 0)),
  constraint endpoints_live_is_https CHECK (((environment = 'SANDBOX'::text) OR (url ~~* 'https://%'::text))),
  constraint endpoints_pkey PRIMARY KEY (id),
  constraint endpoints_rotation_is_whole CHECK (((next_sealed_secret IS NULL) = (secret_overlap_ends_at IS NULL))),
  constraint endpoints_url_check CHECK (((length(url) >= 1) AND (length(url) <= 2000)))
);
CREATE INDEX endpoints_failing ON endpoints USING btree (failing_since) WHERE (failing_since IS NOT NULL);
CREATE INDEX endpoints_of_tenant ON endpoints USING btree (merchant_id, environment, id DESC) WHERE (deleted_at IS NULL);
CREATE INDEX endpoints_rotating ON endpoints USING btree (secret_overlap_ends_at) WHERE (secret_overlap_ends_at IS NOT NULL);
CREATE INDEX endpoints_to_end ON endpoints USING btree (deleted_at) WHERE ((deleted_at IS NOT NULL) AND (deliveries_ended_at IS NULL));

table event_counters (
  merchant_id uuid not null,
  environment text not null,
  "position" bigint not null,
  deleted_through bigint default 0 not null,
  constraint event_counters_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint event_counters_pkey PRIMARY KEY (merchant_id, environment),
  constraint event_counters_position_check CHECK (("position" > 0))
) with (fillfactor=50);

table events (
  merchant_id uuid not null,
  environment text not null,
  "position" bigint not null,
  id uuid not null,
  type text not null,
  payment_intent_id uuid not null,
  occurred_at timestamp with time zone not null,
  body text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  planned_deliveries smallint,
  amount bigint,
  constraint events_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint events_once UNIQUE (payment_intent_id, type),
  constraint events_pkey PRIMARY KEY (merchant_id, environment, "position")
);
CREATE INDEX events_by_time ON events USING btree (created_at);
CREATE INDEX events_of_type ON events USING btree (merchant_id, environment, type, "position");
CREATE INDEX events_paid_by_occurrence ON events USING btree (occurred_at) WHERE (type = 'payment.paid'::text);

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

table rate_limit_leases (
  subject text not null,
  refill double precision not null,
  burst double precision not null,
  used double precision not null,
  at timestamp with time zone not null,
  demands jsonb not null,
  keep_until timestamp with time zone not null,
  constraint rate_limit_leases_pkey PRIMARY KEY (subject)
) with (fillfactor=50);
CREATE INDEX rate_limit_leases_by_end ON rate_limit_leases USING btree (keep_until);

table recoveries (
  id uuid not null,
  endpoint_id uuid not null,
  kind text not null,
  since timestamp with time zone not null,
  phase text default 'RESTING'::text not null,
  position_id uuid,
  position_at timestamp with time zone,
  "position" bigint,
  redelivered integer default 0 not null,
  created integer default 0 not null,
  created_at timestamp with time zone default now() not null,
  worked_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  constraint recoveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES endpoints(id),
  constraint recoveries_kind_check CHECK ((kind = ANY (ARRAY['VERIFIED'::text, 'CAME_BACK'::text, 'ASKED'::text]))),
  constraint recoveries_phase_check CHECK ((phase = ANY (ARRAY['RESTING'::text, 'MISSED'::text]))),
  constraint recoveries_pkey PRIMARY KEY (id)
);
CREATE INDEX recoveries_of_endpoint ON recoveries USING btree (endpoint_id, id DESC);
CREATE UNIQUE INDEX recoveries_open ON recoveries USING btree (endpoint_id, kind) WHERE (finished_at IS NULL);
CREATE INDEX recoveries_to_do ON recoveries USING btree (worked_at) WHERE (finished_at IS NULL);

table retention_positions (
  name text not null,
  "position" text,
  restarted_at timestamp with time zone default now() not null,
  constraint retention_positions_pkey PRIMARY KEY (name)
);

table senders (
  id uuid not null,
  started_at timestamp with time zone default now() not null,
  missed_at timestamp with time zone,
  constraint senders_pkey PRIMARY KEY (id)
);

table test_clock_steps (
  id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  milliseconds bigint not null,
  milliseconds_left bigint not null,
  began_at timestamp with time zone default clock_timestamp() not null,
  constraint test_clock_steps_check CHECK (((milliseconds_left >= 0) AND (milliseconds_left <= milliseconds))),
  constraint test_clock_steps_environment_check CHECK ((environment = 'SANDBOX'::text)),
  constraint test_clock_steps_milliseconds_check CHECK ((milliseconds > 0)),
  constraint test_clock_steps_pkey PRIMARY KEY (id)
);
CREATE INDEX test_clock_steps_began ON test_clock_steps USING btree (began_at);

CREATE OR REPLACE FUNCTION count_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'webhook_dispatcher'
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into delivery_count_changes (merchant_id, environment, endpoint_id, event_type, status, deliveries)
    select merchant_id, environment, endpoint_id, event_type, status, count(*) from rows_after group by 1, 2, 3, 4, 5;
  elsif tg_op = 'DELETE' then
    insert into delivery_count_changes (merchant_id, environment, endpoint_id, event_type, status, deliveries)
    select merchant_id, environment, endpoint_id, event_type, status, -count(*) from rows_before group by 1, 2, 3, 4, 5;
  else
    insert into delivery_count_changes (merchant_id, environment, endpoint_id, event_type, status, deliveries)
    select merchant_id, environment, endpoint_id, event_type, status, sum(deliveries) from (
      select merchant_id, environment, endpoint_id, event_type, status, 1 as deliveries from rows_after
      union all
      select merchant_id, environment, endpoint_id, event_type, status, -1 from rows_before
    ) as changed group by 1, 2, 3, 4, 5 having sum(deliveries) <> 0;
  end if;
  return null;
end $function$;

-- migration 20261121080000-create-messaging-1795248000000 b9124eddc10ca10db28115f852251f656008324b4f127205dcb37de27fe89c61
-- migration 20261121090000-create-directory-copy-1795251600000 31b1ae5918475f88e3ded5fb72701bdb581c53c4b57c7c72d386755d0b77e3d9
-- migration 20261121100000-create-endpoints-1795255200000 e990bc6f5a14ec729235ee0b10c2941f861e7ea49103cda079f4acd67d7659d3
-- migration 20261121100100-create-deliveries-1795255260000 558c3cebc6ce5bb0bb859f5ab9e1bb86f411f8ccd04703a0acd62fe1d9ed8184
-- migration 20261121110000-vacuum-deliveries-early-1795258800000 b7d18a182331b8c133fb9074cbfee34254b230fe99b74fcce892e210fbe429aa
-- migration 20261121140000-create-rate-limit-leases-1795269600000 f67e72f49c38d81dd6dac424bd50d35d7bb28ec4f78bcb7c347d3176ca80d99f
-- migration 20261121200000-verify-rotate-recover-1795291200000 537455cb663bfbceaa91431332f791e2a04b1f8ed1e832be1a8558eb3e2f7a87
-- migration 20261121200001-index-resting-deliveries-1795291201000 ad97c809b6b4ade408dd346e668addce9a5001b79e5f9b30f6d1f44a04566102
-- migration 20261121250000-notice-dead-senders-1795309200000 80796f541394025869e60a4819ee393c82bdd1bc5e655359c0a0e9ca1d0bc173
-- migration 20261122110000-keep-what-is-to-be-published-apart-1795345200000 b6513dfa0216d2b4a7a71937a3d2b9967d33afb6792aeb22194ea3d9d484d809
-- migration 20261122150000-gather-few-statistics-of-messages-1795359600000 cf1bacf1857d6f0e16d35b2371ecfaa99954995f465e17b849c171d2476106af
-- migration 20261122190000-keep-retention-positions-1795374000000 767a2e75de577cea0a2d44b9e27ca5f467686ad1564c9f171fdd48d86697844d
-- migration 20261122200000-count-planned-deliveries-1795377600000 bceab6097fca6bb36b477dcd7f1f9d468abf70b1dc5c8b863355ef758913e7c7
-- migration 20261122211000-watch-bindings-1795381800000 7ab782fa660cb700d5484131307fa5b55232f93511591ccd6c36199b1de7c4c8
-- migration 20261122212000-add-publisher-epoch-1795382400000 6c7c5fc65bf471f566616fb53b8271fb78b55c79e1ca94cf465dbef2fa74c2c5
-- migration 20261122212100-add-epochs-of-facts-1795382460000 3f06932158476254756de3344a1445df20e4fd15752f91722e9994c9d40646c4
-- migration 20261122213000-index-feed-by-time-1795383000000 de32eaa0eaa4ac9a09a3265b5d388c31c891a0c1c5d770411d63df3876a6f0f3
-- migration 20261122213001-index-held-deliveries-1795383001000 6435d24836b9e83a443a6a951aa3b0582ae2aa4e198ddcff7c909a11452ffe87
-- migration 20261122214000-stop-replays-1795383600000 db7a48fe842a437dde87420b415bc78bd72628053699584c9a6dc9dc7578d914
-- migration 20261123054500-store-amounts-of-events-1795412700000 22a64f5cbc469e3826d8c97ee3560734b6193a552d2100fb05535d586b7d0d8b
-- migration 20261123060200-add-test-clock-steps-1795413720000 2715c0d9a403e151894d7f65881c1f320e870bff3da03e7464e6d76c765ea68f
-- migration 20261123235500-gather-few-statistics-1795478100000 eb621069ff3580cac1cd539b527759caad4253535d0c4980685e7882b7ddddd9
-- migration 20261124020000-count-deliveries-1795485600000 6589a8ae32cd0de0c1e04ef7ab441690573cfe60e766ac1d219ee4340cd8b8a6
-- migration 20261124020001-fill-delivery-counts-1795485601000 72fa3669a9e75b9a52e34f5d3d95e30d060804fcaa631d346d8385e787d14842
-- migration 20261124020002-index-deliveries-of-tenant-with-filters-1795485602000 c6e1d728af27445d357c7e06506a38b0b8c36d7e20d176b769a74f219f35743e
-- migration 20261124020003-index-deliveries-of-endpoint-with-filters-1795485603000 aa07cb2d43ad873b0eb235ca90d13f40ae0c29f3344ecd60d927c2dd549e2944
-- migration 20261124020004-drop-indexes-without-filters-1795485604000 7e1509d37612fe326de4d2e65f25680f529aa30460885484ca80c834b6b36903
-- migration 20261124174000-drop-time-range-index-of-events-1795542000000 8904653042573e9973cc3f2c55691090db5c449f36124845311dc0e3f35e3044
-- migration 20261124174200-drop-time-range-index-of-inbox-1795542120000 58c22d627e2125422ab5a4f310b5ad0054bd9bc277157c0b94741b76273b6a3e
-- migration 20261125220000-keep-only-written-columns-in-outbox-1795644000000 e198291b81cc3b243177aa86ac7ee019a92c626a9a90d2732697b50fa89db7c7
-- migration 20261126033100-drop-unused-mark-of-resends-1795663860000 05ee4885de7964a1ffc9c56853ea7411fd4ed51a871b4308c56101d8dcc1eca6
-- migration 20261126141500-mark-deleted-endpoints-without-deliveries-1795702500000 bb123f92cd38e096fcd300f90097909afc30ad2cafe27c4494fec65b11d7ea84
-- migration 20261127164000-index-paid-events-by-occurrence-1795797600000 830c91cd378c3926f10330f5e3a0674c71b8437649e23c92c23c70c69e9223f4
