-- The schema also contains the tables of libs/messaging/src/schema.sql, libs/rate-limits/src/schema.sql.

table alert_rounds (
  id smallint default 1 not null,
  next_at timestamp with time zone not null,
  constraint alert_rounds_id_check CHECK ((id = 1)),
  constraint alert_rounds_pkey PRIMARY KEY (id)
);

table alert_settings (
  merchant_id uuid not null,
  environment text not null,
  kinds text[] not null,
  updated_at timestamp with time zone not null,
  constraint alert_settings_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint alert_settings_kinds_check CHECK ((kinds <@ ARRAY['device_silent'::text, 'exceptions_waiting'::text, 'endpoint_failing'::text, 'sms_missing'::text, 'payment_doubtful'::text])),
  constraint alert_settings_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint alert_settings_pkey PRIMARY KEY (merchant_id, environment)
);

table api_key_uses (
  api_key_id uuid not null,
  used_at timestamp with time zone not null,
  constraint api_key_uses_pkey PRIMARY KEY (api_key_id)
);

table api_keys (
  id uuid not null,
  version integer not null,
  merchant_id uuid not null,
  environment text not null,
  name text not null,
  key_hash text not null,
  scopes text[] not null,
  is_locked boolean not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  last_four text,
  constraint api_keys_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint api_keys_key_hash_check CHECK ((key_hash ~ '^[0-9a-f]{64}$'::text)),
  constraint api_keys_last_four_check CHECK ((last_four ~ '^[0-9A-Za-z]{4}$'::text)),
  constraint api_keys_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint api_keys_name_check CHECK (((btrim(name) <> ''::text) AND (length(name) <= 120))),
  constraint api_keys_one_per_hash UNIQUE (key_hash),
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_scopes_check CHECK (((cardinality(scopes) > 0) AND (scopes <@ ARRAY['payments:read'::text, 'payments:write'::text, 'webhooks:read'::text, 'webhooks:write'::text, 'sandbox:simulate'::text]))),
  constraint api_keys_version_check CHECK ((version > 0))
);
CREATE INDEX api_keys_by_merchant ON api_keys USING btree (merchant_id, id);
CREATE TRIGGER api_keys_owned BEFORE UPDATE ON api_keys FOR EACH ROW WHEN (((old.merchant_id IS DISTINCT FROM new.merchant_id) OR (old.environment IS DISTINCT FROM new.environment))) EXECUTE FUNCTION refuse_other_owner();
CREATE TRIGGER api_keys_versioned BEFORE DELETE OR UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION refuse_unversioned_change();

table audit_log (
  id uuid not null,
  at timestamp with time zone not null,
  actor text not null,
  action text not null,
  subject_kind text not null,
  subject_id uuid not null,
  merchant_id uuid not null,
  environment text,
  before jsonb,
  after jsonb,
  reason text,
  constraint audit_log_actor_check CHECK ((actor <> ''::text)),
  constraint audit_log_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint audit_log_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint audit_log_pkey PRIMARY KEY (id),
  constraint audit_log_reason_check CHECK (((btrim(reason) <> ''::text) AND (length(reason) <= 500)))
);
CREATE INDEX audit_log_of_action ON audit_log USING btree (merchant_id, action, at DESC, id DESC);
CREATE INDEX audit_log_of_actor ON audit_log USING btree (merchant_id, actor, at DESC, id DESC);
CREATE INDEX audit_log_of_kind ON audit_log USING btree (merchant_id, subject_kind, at DESC, id DESC);
CREATE INDEX audit_log_of_merchant ON audit_log USING btree (merchant_id, at DESC, id DESC);
CREATE INDEX audit_log_of_one ON audit_log USING btree (merchant_id, subject_id, at DESC, id DESC);
CREATE INDEX audit_log_of_subject ON audit_log USING btree (subject_kind, subject_id, id);
CREATE TRIGGER audit_log_is_final BEFORE DELETE OR UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_change_of_history();
CREATE TRIGGER audit_log_is_kept BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_history();

table device_pairings (
  id uuid not null,
  device_id uuid not null,
  code_hash text not null,
  wrong_tries integer default 0 not null,
  created_by uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  closed_at timestamp with time zone,
  constraint device_pairings_closed_when_tried_out CHECK (((wrong_tries < 5) OR (closed_at IS NOT NULL))),
  constraint device_pairings_closed_when_used CHECK (((used_at IS NULL) OR (closed_at IS NOT NULL))),
  constraint device_pairings_code_hash_check CHECK ((code_hash ~~ '$argon2id$%'::text)),
  constraint device_pairings_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint device_pairings_device_id_fkey FOREIGN KEY (device_id) REFERENCES devices(id),
  constraint device_pairings_pkey PRIMARY KEY (id),
  constraint device_pairings_wrong_tries_check CHECK (((wrong_tries >= 0) AND (wrong_tries <= 5)))
);
CREATE INDEX device_pairings_by_device ON device_pairings USING btree (device_id);
CREATE UNIQUE INDEX device_pairings_one_open ON device_pairings USING btree (device_id) WHERE (closed_at IS NULL);

table device_sightings (
  device_id uuid not null,
  seen_at timestamp with time zone not null,
  sends_heartbeat boolean not null,
  constraint device_sightings_pkey PRIMARY KEY (device_id)
);

table devices (
  id uuid not null,
  version integer not null,
  merchant_id uuid not null,
  environment text not null,
  name text not null,
  key_hash text not null,
  sims jsonb not null,
  is_disabled boolean not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  paired_at timestamp with time zone,
  hooks jsonb default '[]'::jsonb not null,
  allows_unsigned_texts boolean default false not null,
  constraint devices_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint devices_hooks_check CHECK ((jsonb_typeof(hooks) = 'array'::text)),
  constraint devices_key_hash_check CHECK ((key_hash ~ '^[0-9a-f]{64}$'::text)),
  constraint devices_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint devices_name_check CHECK (((btrim(name) <> ''::text) AND (length(name) <= 120))),
  constraint devices_one_per_hash UNIQUE (key_hash),
  constraint devices_pkey PRIMARY KEY (id),
  constraint devices_sims_check CHECK ((jsonb_typeof(sims) = 'array'::text)),
  constraint devices_version_check CHECK ((version > 0))
);
CREATE INDEX devices_by_merchant ON devices USING btree (merchant_id, id);
CREATE TRIGGER devices_owned BEFORE UPDATE ON devices FOR EACH ROW WHEN (((old.merchant_id IS DISTINCT FROM new.merchant_id) OR (old.environment IS DISTINCT FROM new.environment))) EXECUTE FUNCTION refuse_other_owner();
CREATE TRIGGER devices_versioned BEFORE DELETE OR UPDATE ON devices FOR EACH ROW EXECUTE FUNCTION refuse_unversioned_change();

table invitations (
  id uuid not null,
  merchant_id uuid not null,
  email text not null,
  name text not null,
  role text not null,
  token_hash text not null,
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  revoked_at timestamp with time zone,
  created_by uuid not null,
  created_at timestamp with time zone not null,
  constraint invitations_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint invitations_email_check CHECK (((email = lower(email)) AND (length(email) <= 254))),
  constraint invitations_end_once CHECK (((accepted_at IS NULL) OR (revoked_at IS NULL))),
  constraint invitations_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint invitations_name_check CHECK (((btrim(name) <> ''::text) AND (length(name) <= 120))),
  constraint invitations_one_per_token UNIQUE (token_hash),
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['OWNER'::text, 'ADMIN'::text, 'REVIEWER'::text, 'DEVELOPER'::text, 'VIEWER'::text]))),
  constraint invitations_token_hash_check CHECK ((token_hash ~ '^[0-9a-f]{64}$'::text))
);
CREATE INDEX invitations_by_merchant ON invitations USING btree (merchant_id, id);
CREATE INDEX invitations_by_time ON invitations USING btree (merchant_id, created_at);
CREATE INDEX invitations_open_by_email ON invitations USING btree (merchant_id, email) WHERE ((accepted_at IS NULL) AND (revoked_at IS NULL));

table known_browsers (
  token_hash text not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint known_browsers_pkey PRIMARY KEY (token_hash),
  constraint known_browsers_token_hash_check CHECK ((token_hash ~ '^[0-9a-f]{64}$'::text)),
  constraint known_browsers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX known_browsers_by_expiry ON known_browsers USING btree (expires_at);
CREATE INDEX known_browsers_by_user ON known_browsers USING btree (user_id, used_at DESC);

table login_attempts (
  key character varying(255) not null,
  points integer default 0 not null,
  expire bigint,
  constraint login_attempts_pkey PRIMARY KEY (key)
);
CREATE INDEX login_attempts_by_expiry ON login_attempts USING btree (expire);
CREATE INDEX login_attempts_by_prefix ON login_attempts USING btree (key varchar_pattern_ops);

table mails (
  id uuid not null,
  sealed text not null,
  attempts integer default 0 not null,
  created_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_sealed_check CHECK ((sealed ~ '^[A-Za-z0-9_]{1,20}:[A-Za-z0-9+/=]+$'::text))
);
CREATE INDEX mails_by_due_time ON mails USING btree (due_at);

table memberships (
  user_id uuid not null,
  merchant_id uuid not null,
  role text not null,
  is_active boolean not null,
  version integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint memberships_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint memberships_pkey PRIMARY KEY (user_id, merchant_id),
  constraint memberships_role_check CHECK ((role = ANY (ARRAY['OWNER'::text, 'ADMIN'::text, 'REVIEWER'::text, 'DEVELOPER'::text, 'VIEWER'::text]))),
  constraint memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint memberships_version_check CHECK ((version > 0))
);
CREATE INDEX memberships_by_merchant ON memberships USING btree (merchant_id, user_id);
CREATE TRIGGER memberships_keep_user AFTER UPDATE OF role, is_active ON memberships FOR EACH ROW EXECUTE FUNCTION keep_user_of_first_membership();

table merchant_alerts (
  id uuid not null,
  merchant_id uuid not null,
  environment text not null,
  kind text not null,
  subject text not null,
  name text,
  count integer not null,
  since timestamp with time zone not null,
  opened_at timestamp with time zone not null,
  mailed_at timestamp with time zone,
  closed_at timestamp with time zone,
  constraint merchant_alerts_count_check CHECK ((count > 0)),
  constraint merchant_alerts_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint merchant_alerts_kind_check CHECK ((kind = ANY (ARRAY['device_silent'::text, 'exceptions_waiting'::text, 'endpoint_failing'::text, 'sms_missing'::text, 'payment_doubtful'::text]))),
  constraint merchant_alerts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint merchant_alerts_pkey PRIMARY KEY (id)
);
CREATE INDEX merchant_alerts_mailed ON merchant_alerts USING btree (merchant_id, environment, mailed_at) WHERE (mailed_at IS NOT NULL);
CREATE INDEX merchant_alerts_not_mailed ON merchant_alerts USING btree (merchant_id, environment) WHERE ((closed_at IS NULL) AND (mailed_at IS NULL));
CREATE INDEX merchant_alerts_of_tenant ON merchant_alerts USING btree (merchant_id, environment, id DESC);
CREATE UNIQUE INDEX merchant_alerts_one_open ON merchant_alerts USING btree (merchant_id, environment, kind, subject) WHERE (closed_at IS NULL);

table merchants (
  id uuid not null,
  version integer not null,
  name text not null,
  is_active boolean not null,
  enabled_methods text[] not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  evidence_rules jsonb,
  branding jsonb,
  checkout jsonb,
  support jsonb,
  constraint merchants_branding_check CHECK ((jsonb_typeof(branding) = 'object'::text)),
  constraint merchants_checkout_check CHECK ((jsonb_typeof(checkout) = 'object'::text)),
  constraint merchants_enabled_methods_check CHECK ((enabled_methods <@ ARRAY['BKASH_PAYMENT'::text, 'BKASH_SEND_MONEY'::text, 'BKASH_CASHOUT'::text, 'NAGAD_PAYMENT'::text, 'NAGAD_SEND_MONEY'::text, 'NAGAD_CASHOUT'::text])),
  constraint merchants_evidence_rules_check CHECK ((jsonb_typeof(evidence_rules) = 'object'::text)),
  constraint merchants_name_check CHECK (((btrim(name) <> ''::text) AND (length(name) <= 120))),
  constraint merchants_pkey PRIMARY KEY (id),
  constraint merchants_support_check CHECK ((jsonb_typeof(support) = 'object'::text)),
  constraint merchants_version_check CHECK ((version > 0))
);
CREATE TRIGGER merchants_versioned BEFORE DELETE OR UPDATE ON merchants FOR EACH ROW EXECUTE FUNCTION refuse_unversioned_change();

table notices (
  id uuid not null,
  user_id uuid,
  merchant_id uuid,
  kind text not null,
  details jsonb not null,
  created_at timestamp with time zone not null,
  constraint notices_details_check CHECK ((jsonb_typeof(details) = 'object'::text)),
  constraint notices_for_one_or_the_other CHECK (((user_id IS NULL) <> (merchant_id IS NULL))),
  constraint notices_kind_check CHECK ((kind <> ''::text)),
  constraint notices_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint notices_pkey PRIMARY KEY (id),
  constraint notices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX notices_by_merchant ON notices USING btree (merchant_id, created_at DESC) WHERE (merchant_id IS NOT NULL);
CREATE INDEX notices_by_time ON notices USING btree (created_at);
CREATE INDEX notices_by_user ON notices USING btree (user_id, created_at DESC) WHERE (user_id IS NOT NULL);

table number_proofs (
  id uuid not null,
  merchant_id uuid not null,
  msisdn text not null,
  code_hash text,
  wrong_tries integer default 0 not null,
  created_by uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  proven_at timestamp with time zone,
  closed_at timestamp with time zone,
  constraint number_proofs_closed_when_tried_out CHECK (((wrong_tries < 5) OR (closed_at IS NOT NULL))),
  constraint number_proofs_code_hash_check CHECK ((code_hash ~~ '$argon2id$%'::text)),
  constraint number_proofs_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  constraint number_proofs_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint number_proofs_msisdn_check CHECK ((msisdn ~ '^01[3-9][0-9]{8}$'::text)),
  constraint number_proofs_pkey PRIMARY KEY (id),
  constraint number_proofs_sent_before_proven CHECK (((proven_at IS NULL) OR ((sent_at IS NOT NULL) AND (code_hash IS NOT NULL)))),
  constraint number_proofs_wrong_tries_check CHECK (((wrong_tries >= 0) AND (wrong_tries <= 5)))
);
CREATE INDEX number_proofs_by_merchant ON number_proofs USING btree (merchant_id, id);
CREATE UNIQUE INDEX number_proofs_one_holder ON number_proofs USING btree (msisdn) WHERE ((proven_at IS NOT NULL) AND (closed_at IS NULL));
CREATE UNIQUE INDEX number_proofs_one_open ON number_proofs USING btree (merchant_id, msisdn) WHERE ((proven_at IS NULL) AND (closed_at IS NULL));

table payment_audit (
  id smallint default 1 not null,
  owner uuid,
  leased_until timestamp with time zone default '-infinity'::timestamp with time zone not null,
  next_slice timestamp with time zone,
  constraint payment_audit_id_check CHECK ((id = 1)),
  constraint payment_audit_pkey PRIMARY KEY (id)
);

table payment_audit_findings (
  payment_intent_id uuid not null,
  kind text not null,
  merchant_id uuid not null,
  environment text not null,
  decided_at timestamp with time zone not null,
  first_seen_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  resolved_at timestamp with time zone,
  constraint payment_audit_findings_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint payment_audit_findings_pkey PRIMARY KEY (payment_intent_id, kind)
);
CREATE INDEX payment_audit_findings_open ON payment_audit_findings USING btree (decided_at) WHERE (resolved_at IS NULL);
CREATE INDEX payment_audit_findings_resolved ON payment_audit_findings USING btree (resolved_at) WHERE (resolved_at IS NOT NULL);

table receiver_accounts (
  id uuid not null,
  version integer not null,
  merchant_id uuid not null,
  environment text not null,
  payment_method text not null,
  msisdn text not null,
  is_active boolean not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  label text,
  limits jsonb,
  constraint receiver_accounts_environment_check CHECK ((environment = ANY (ARRAY['SANDBOX'::text, 'LIVE'::text]))),
  constraint receiver_accounts_label_check CHECK (((btrim(label) <> ''::text) AND (length(label) <= 120))),
  constraint receiver_accounts_limits_check CHECK ((jsonb_typeof(limits) = 'object'::text)),
  constraint receiver_accounts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint receiver_accounts_msisdn_check CHECK ((msisdn ~ '^01[3-9][0-9]{8}$'::text)),
  constraint receiver_accounts_one_per_number UNIQUE (merchant_id, environment, payment_method, msisdn),
  constraint receiver_accounts_payment_method_check CHECK ((payment_method = ANY (ARRAY['BKASH_PAYMENT'::text, 'BKASH_SEND_MONEY'::text, 'BKASH_CASHOUT'::text, 'NAGAD_PAYMENT'::text, 'NAGAD_SEND_MONEY'::text, 'NAGAD_CASHOUT'::text]))),
  constraint receiver_accounts_pkey PRIMARY KEY (id),
  constraint receiver_accounts_version_check CHECK ((version > 0))
);
CREATE INDEX receiver_accounts_by_live_number ON receiver_accounts USING btree (msisdn) WHERE ((environment = 'LIVE'::text) AND is_active AND (deleted_at IS NULL));
CREATE INDEX receiver_accounts_by_merchant ON receiver_accounts USING btree (merchant_id, id);
CREATE TRIGGER receiver_accounts_live_added BEFORE INSERT ON receiver_accounts FOR EACH ROW WHEN (((new.environment = 'LIVE'::text) AND new.is_active AND (new.deleted_at IS NULL))) EXECUTE FUNCTION refuse_shared_live_number();
CREATE TRIGGER receiver_accounts_live_opened BEFORE UPDATE ON receiver_accounts FOR EACH ROW WHEN (((new.environment = 'LIVE'::text) AND new.is_active AND (new.deleted_at IS NULL) AND ((NOT old.is_active) OR (old.deleted_at IS NOT NULL) OR (new.msisdn <> old.msisdn)))) EXECUTE FUNCTION refuse_shared_live_number();
CREATE TRIGGER receiver_accounts_owned BEFORE UPDATE ON receiver_accounts FOR EACH ROW WHEN (((old.merchant_id IS DISTINCT FROM new.merchant_id) OR (old.environment IS DISTINCT FROM new.environment))) EXECUTE FUNCTION refuse_other_owner();
CREATE TRIGGER receiver_accounts_versioned BEFORE DELETE OR UPDATE ON receiver_accounts FOR EACH ROW EXECUTE FUNCTION refuse_unversioned_change();

table recovery_codes (
  user_id uuid not null,
  code_hash text not null,
  used_at timestamp with time zone,
  constraint recovery_codes_code_hash_check CHECK ((code_hash ~ '^[0-9a-f]{64}$'::text)),
  constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES second_factors(user_id) ON DELETE CASCADE
);

table refresh_tokens (
  token_hash text not null,
  session_id uuid not null,
  issued_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint refresh_tokens_pkey PRIMARY KEY (token_hash),
  constraint refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint refresh_tokens_token_hash_check CHECK ((token_hash ~ '^[0-9a-f]{64}$'::text))
);
CREATE INDEX refresh_tokens_by_session ON refresh_tokens USING btree (session_id);
CREATE UNIQUE INDEX refresh_tokens_one_unused ON refresh_tokens USING btree (session_id) WHERE (used_at IS NULL);

table second_factors (
  user_id uuid not null,
  sealed_secret text not null,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  last_step bigint default 0 not null,
  constraint second_factors_pkey PRIMARY KEY (user_id),
  constraint second_factors_sealed_secret_check CHECK ((sealed_secret ~ '^[A-Za-z0-9_]{1,20}:[A-Za-z0-9+/=]+$'::text)),
  constraint second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

table sessions (
  id uuid not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  ended_because text,
  merchant_id uuid,
  address text,
  user_agent text,
  constraint sessions_end_for_a_reason CHECK (((ended_at IS NULL) = (ended_because IS NULL))),
  constraint sessions_ended_because_check CHECK ((ended_because = ANY (ARRAY['logout'::text, 'ended_elsewhere'::text, 'password_changed'::text, 'reuse_detected'::text, 'access_withdrawn'::text, 'two_factor_enabled'::text]))),
  constraint sessions_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_user_agent_check CHECK ((length(user_agent) <= 300)),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX sessions_by_expiry ON sessions USING btree (expires_at);
CREATE INDEX sessions_open_by_user ON sessions USING btree (user_id) WHERE (ended_at IS NULL);

table test_api_keys (
  merchant_id uuid not null,
  environment text default 'SANDBOX'::text not null,
  api_key_id uuid not null,
  sealed_key text not null,
  expires_at timestamp with time zone not null,
  constraint test_api_keys_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES api_keys(id),
  constraint test_api_keys_environment_check CHECK ((environment = 'SANDBOX'::text)),
  constraint test_api_keys_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint test_api_keys_pkey PRIMARY KEY (merchant_id)
);

table test_clocks (
  merchant_id uuid not null,
  environment text default 'SANDBOX'::text not null,
  advanced_ms bigint default 0 not null,
  request_id uuid,
  left_ms bigint default 0 not null,
  step_id uuid,
  step_ms bigint,
  waits_for text,
  played_at timestamp with time zone default now() not null,
  requested text,
  constraint test_clocks_advanced_ms_check CHECK ((advanced_ms >= 0)),
  constraint test_clocks_check CHECK (((step_ms > 0) AND (step_ms <= left_ms))),
  constraint test_clocks_environment_check CHECK ((environment = 'SANDBOX'::text)),
  constraint test_clocks_left_ms_check CHECK ((left_ms >= 0)),
  constraint test_clocks_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint test_clocks_pkey PRIMARY KEY (merchant_id),
  constraint test_clocks_step_is_whole CHECK (((step_id IS NULL) = (step_ms IS NULL))),
  constraint test_clocks_waits_for_check CHECK ((waits_for = ANY (ARRAY['services'::text, 'intake'::text, 'webhooks'::text, 'expiry'::text])))
);
CREATE INDEX test_clocks_advancing ON test_clocks USING btree (played_at) WHERE (left_ms > 0);

table test_endpoint_requests (
  id uuid not null,
  merchant_id uuid not null,
  environment text default 'SANDBOX'::text not null,
  received_at timestamp with time zone not null,
  headers jsonb not null,
  body text not null,
  signature text not null,
  event_type text,
  payment_intent_id uuid,
  body_environment text,
  response_status integer not null,
  constraint test_endpoint_requests_environment_check CHECK ((environment = 'SANDBOX'::text)),
  constraint test_endpoint_requests_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint test_endpoint_requests_pkey PRIMARY KEY (id),
  constraint test_endpoint_requests_signature_check CHECK ((signature = ANY (ARRAY['VALID'::text, 'INVALID'::text])))
);
CREATE INDEX test_endpoint_requests_of_intent ON test_endpoint_requests USING btree (payment_intent_id) WHERE (payment_intent_id IS NOT NULL);
CREATE INDEX test_endpoint_requests_of_merchant ON test_endpoint_requests USING btree (merchant_id, id DESC);
CREATE INDEX test_endpoint_requests_received ON test_endpoint_requests USING btree (received_at);

table test_endpoint_rules (
  payment_intent_id uuid not null,
  merchant_id uuid not null,
  environment text default 'SANDBOX'::text not null,
  requests_left integer not null,
  response_status integer not null,
  response_delay_seconds integer not null,
  created_at timestamp with time zone not null,
  constraint test_endpoint_rules_environment_check CHECK ((environment = 'SANDBOX'::text)),
  constraint test_endpoint_rules_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint test_endpoint_rules_pkey PRIMARY KEY (payment_intent_id),
  constraint test_endpoint_rules_requests_left_check CHECK ((requests_left >= 0)),
  constraint test_endpoint_rules_response_delay_seconds_check CHECK (((response_delay_seconds >= 0) AND (response_delay_seconds <= 20))),
  constraint test_endpoint_rules_response_status_check CHECK (((response_status >= 200) AND (response_status <= 599)))
);
CREATE INDEX test_endpoint_rules_created ON test_endpoint_rules USING btree (created_at);

table test_endpoints (
  merchant_id uuid not null,
  environment text default 'SANDBOX'::text not null,
  token text not null,
  sealed_secret text not null,
  endpoint_id uuid,
  response_status integer default 200 not null,
  response_delay_seconds integer default 0 not null,
  constraint test_endpoints_environment_check CHECK ((environment = 'SANDBOX'::text)),
  constraint test_endpoints_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint test_endpoints_pkey PRIMARY KEY (merchant_id),
  constraint test_endpoints_response_delay_seconds_check CHECK (((response_delay_seconds >= 0) AND (response_delay_seconds <= 20))),
  constraint test_endpoints_response_status_check CHECK (((response_status >= 200) AND (response_status <= 599))),
  constraint test_endpoints_token_key UNIQUE (token)
);

table test_runs (
  id uuid not null,
  suite_id uuid not null,
  merchant_id uuid not null,
  environment text default 'SANDBOX'::text not null,
  place integer not null,
  test_case text not null,
  status text default 'QUEUED'::text not null,
  result text,
  reason text,
  steps jsonb default '[]'::jsonb not null,
  expectations jsonb default '[]'::jsonb not null,
  evidence jsonb default '{"matchIds": [], "webhooks": [], "smsEventIds": [], "shopRequests": [], "paymentIntentIds": []}'::jsonb not null,
  revision integer default 0 not null,
  plays integer default 0 not null,
  lease_owner uuid,
  lease_until timestamp with time zone,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint test_runs_end_with_a_result CHECK ((((status = 'ENDED'::text) = (result IS NOT NULL)) AND ((status = 'ENDED'::text) = (ended_at IS NOT NULL)))),
  constraint test_runs_environment_check CHECK ((environment = 'SANDBOX'::text)),
  constraint test_runs_lease CHECK ((((status = 'RUNNING'::text) = (lease_owner IS NOT NULL)) AND ((lease_owner IS NULL) = (lease_until IS NULL)))),
  constraint test_runs_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint test_runs_pkey PRIMARY KEY (id),
  constraint test_runs_place_check CHECK ((place >= 0)),
  constraint test_runs_result_check CHECK ((result = ANY (ARRAY['PASSED'::text, 'FAILED'::text, 'SKIPPED'::text, 'ERROR'::text]))),
  constraint test_runs_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text, 'ENDED'::text]))),
  constraint test_runs_suite_id_fkey FOREIGN KEY (suite_id) REFERENCES test_suites(id) ON DELETE CASCADE
);
CREATE INDEX test_runs_of_merchant ON test_runs USING btree (merchant_id, id DESC);
CREATE INDEX test_runs_of_suite ON test_runs USING btree (suite_id, place);
CREATE INDEX test_runs_open ON test_runs USING btree (merchant_id, created_at) WHERE (status <> 'ENDED'::text);

table test_suites (
  id uuid not null,
  merchant_id uuid not null,
  environment text default 'SANDBOX'::text not null,
  started_by text not null,
  success_url text,
  created_at timestamp with time zone not null,
  constraint test_suites_environment_check CHECK ((environment = 'SANDBOX'::text)),
  constraint test_suites_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint test_suites_pkey PRIMARY KEY (id),
  constraint test_suites_started_by_check CHECK ((started_by ~ '^(user|api_key):'::text))
);

table users (
  id uuid not null,
  version integer not null,
  merchant_id uuid not null,
  email text not null,
  name text not null,
  role text not null,
  password_hash text not null,
  is_active boolean not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint users_email_check CHECK (((email = lower(email)) AND (length(email) <= 254))),
  constraint users_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint users_name_check CHECK (((btrim(name) <> ''::text) AND (length(name) <= 120))),
  constraint users_one_per_email UNIQUE (email),
  constraint users_password_hash_check CHECK ((password_hash ~~ '$argon2id$%'::text)),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_role_check CHECK ((role = ANY (ARRAY['OWNER'::text, 'ADMIN'::text, 'REVIEWER'::text, 'DEVELOPER'::text, 'VIEWER'::text]))),
  constraint users_version_check CHECK ((version > 0))
);
CREATE INDEX users_by_merchant ON users USING btree (merchant_id, id);
CREATE TRIGGER users_keep_first_membership AFTER INSERT OR UPDATE OF role, is_active ON users FOR EACH ROW EXECUTE FUNCTION keep_first_membership();
CREATE TRIGGER users_versioned BEFORE DELETE OR UPDATE ON users FOR EACH ROW EXECUTE FUNCTION refuse_unversioned_change();

CREATE OR REPLACE FUNCTION keep_first_membership()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into memberships (user_id, merchant_id, role, is_active, version, created_at, updated_at)
  values (new.id, new.merchant_id, new.role, new.is_active, 1, new.created_at, new.updated_at)
  on conflict (user_id, merchant_id) do update
    set role = excluded.role, is_active = excluded.is_active, version = memberships.version + 1, updated_at = excluded.updated_at
    where (memberships.role, memberships.is_active) is distinct from (excluded.role, excluded.is_active);
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION keep_user_of_first_membership()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update users set role = new.role, is_active = new.is_active, version = version + 1, updated_at = new.updated_at
   where id = new.user_id and merchant_id = new.merchant_id and (role, is_active) is distinct from (new.role, new.is_active);
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION refuse_change_of_history()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    if old.at < now() - interval '390 days' then
      return old;
    end if;
  end if;
  raise exception 'the audit log is only added to' using errcode = 'check_violation';
end;
$function$;

CREATE OR REPLACE FUNCTION refuse_other_owner()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'what belongs to a merchant and an environment stays there' using errcode = 'check_violation';
end;
$function$;

CREATE OR REPLACE FUNCTION refuse_shared_live_number()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('live number ' || new.msisdn, 0));
  if exists (
    select from number_proofs proof
     where proof.msisdn = new.msisdn and proof.proven_at is not null and proof.closed_at is null
       and proof.merchant_id <> new.merchant_id
  ) then
    raise exception 'a LIVE number is its merchant''s who has proven it'
      using errcode = 'unique_violation', constraint = 'receiver_accounts_one_live_owner';
  end if;
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION refuse_unversioned_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    raise exception 'rows of % are marked as deleted, not removed', tg_table_name using errcode = 'check_violation';
  end if;
  if new.id <> old.id or new.version <> old.version + 1 then
    raise exception 'a change of % keeps the id and takes the next version', tg_table_name using errcode = 'check_violation';
  end if;
  return new;
end;
$function$;

-- migration 20261127190300-create-schema-1795806180000 a72c21fefb2ca476bd48af23383122290166400cb339e0775d4f51dea4f95648
-- migration 20261127230000-add-alerts-of-doubtful-payments-1795820400000 c3f34d1aec5edcb5058fa1a898e4ed6a9fea65b37df3db4d430f48ccca18b4cb
-- migration 20261128020000-turn-on-alerts-of-doubtful-payments-1795831200000 014f60e8b2bd8e03830bafd7ea7ac1fb0909ab73602dee69ffdf1ad81e64c36b
