-- The schema also contains the tables of libs/directory/src/schema.sql, libs/messaging/src/schema.sql, libs/rate-limits/src/schema.sql.

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
  failed_early boolean default false not null,
  early_failures integer default 0 not null,
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
CREATE INDEX deliveries_due_first ON deliveries USING btree (endpoint_id, next_attempt_at) WHERE ((next_attempt_at IS NOT NULL) AND (attempt = 0));
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
  early_probes_from timestamp with time zone,
  recovery_requested_at timestamp with time zone,
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
  is_requested boolean default false not null,
  constraint recoveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES endpoints(id),
  constraint recoveries_kind_check CHECK ((kind = ANY (ARRAY['VERIFIED'::text, 'CAME_BACK'::text, 'ASKED'::text]))),
  constraint recoveries_phase_check CHECK ((phase = ANY (ARRAY['RESTING'::text, 'MISSED'::text]))),
  constraint recoveries_pkey PRIMARY KEY (id)
);
CREATE INDEX recoveries_of_endpoint ON recoveries USING btree (endpoint_id, id DESC);
CREATE UNIQUE INDEX recoveries_open ON recoveries USING btree (endpoint_id, kind) WHERE (finished_at IS NULL);
CREATE INDEX recoveries_to_do ON recoveries USING btree (worked_at) WHERE (finished_at IS NULL);

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

-- migration 20261127190300-create-schema-1795806180000 eeb54932313152e3b1eb0a0b09fc9695a55813a2da84a6db4eee31a933db0ff7
-- migration 20261128095700-store-when-early-probes-may-begin-1795859820000 269d45b3785e6c5ccad0228ff1be68c07adfe97990799c253941cbefb8c83a79
-- migration 20261128133800-index-due-first-attempts-1795873080000 a71cbe5fd32656f4df7add777abba922076fa285394254e2500060ce5caf69c8
-- migration 20261128134500-store-early-failures-1795873500000 22d553274d7d0052dc0ca4b43b3c48b1f61d240be3e71442253c4dfc739c39aa
-- migration 20261128165500-count-early-failures-1795884900000 8fa4101d3d132e1f1e3cefb352d5aab6c65e12420418b959840a9f1a336d6990
-- migration 20261128224500-store-when-a-recovery-was-requested-1795905900000 4b37ba8b53645424f114eb2e252b38fe78e6f81081e0e51c808df2246f1dc58c
