import type { Migration } from '@pay/persistence';

const METHODS = `array['BKASH_PAYMENT', 'BKASH_SEND_MONEY', 'BKASH_CASHOUT', 'NAGAD_PAYMENT', 'NAGAD_SEND_MONEY', 'NAGAD_CASHOUT']`;

export const createSchema: Migration = {
  name: '20261127190300-create-schema',
  replaces: '20261127164500-store-requested-advances',
  sql: `
-- Directory: merchants, users, API keys, receiver accounts and devices. Copies in other services keep the highest version
-- that they have seen: without a new version a change would never reach them, and a removed row would look like an unknown one.
create function refuse_unversioned_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'rows of % are marked as deleted, not removed', tg_table_name using errcode = 'check_violation';
  end if;
  if new.id <> old.id or new.version <> old.version + 1 then
    raise exception 'a change of % keeps the id and takes the next version', tg_table_name using errcode = 'check_violation';
  end if;
  return new;
end;
$$;

create function refuse_other_owner() returns trigger language plpgsql as $$
begin
  raise exception 'what belongs to a merchant and an environment stays there' using errcode = 'check_violation';
end;
$$;

create table merchants (
  id uuid primary key,
  version integer not null check (version > 0),
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  is_active boolean not null,
  enabled_methods text[] not null check (enabled_methods <@ ${METHODS}),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  evidence_rules jsonb check (jsonb_typeof(evidence_rules) = 'object'),
  branding jsonb check (jsonb_typeof(branding) = 'object'),
  checkout jsonb check (jsonb_typeof(checkout) = 'object'),
  support jsonb check (jsonb_typeof(support) = 'object')
);
create trigger merchants_versioned before update or delete on merchants
  for each row execute function refuse_unversioned_change();

create table users (
  id uuid primary key,
  version integer not null check (version > 0),
  merchant_id uuid not null references merchants (id),
  email text not null check (email = lower(email) and length(email) <= 254),
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  role text not null check (role in ('OWNER', 'ADMIN', 'REVIEWER', 'DEVELOPER', 'VIEWER')),
  password_hash text not null check (password_hash like '$argon2id$%'),
  is_active boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint users_one_per_email unique (email)
);
create index users_by_merchant on users (merchant_id, id);
create trigger users_versioned before update or delete on users
  for each row execute function refuse_unversioned_change();

create table memberships (
  user_id uuid not null references users (id),
  merchant_id uuid not null references merchants (id),
  role text not null check (role in ('OWNER', 'ADMIN', 'REVIEWER', 'DEVELOPER', 'VIEWER')),
  is_active boolean not null,
  version integer not null check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (user_id, merchant_id)
);
create index memberships_by_merchant on memberships (merchant_id, user_id);

-- merchant_id, role and is_active of a user are those of the first merchant; the triggers keep both tables equal. A change
-- of a membership locks the user first.
create function keep_first_membership() returns trigger language plpgsql as $$
begin
  insert into memberships (user_id, merchant_id, role, is_active, version, created_at, updated_at)
  values (new.id, new.merchant_id, new.role, new.is_active, 1, new.created_at, new.updated_at)
  on conflict (user_id, merchant_id) do update
    set role = excluded.role, is_active = excluded.is_active, version = memberships.version + 1, updated_at = excluded.updated_at
    where (memberships.role, memberships.is_active) is distinct from (excluded.role, excluded.is_active);
  return null;
end;
$$;
create trigger users_keep_first_membership after insert or update of role, is_active on users
  for each row execute function keep_first_membership();

create function keep_user_of_first_membership() returns trigger language plpgsql as $$
begin
  update users set role = new.role, is_active = new.is_active, version = version + 1, updated_at = new.updated_at
   where id = new.user_id and merchant_id = new.merchant_id and (role, is_active) is distinct from (new.role, new.is_active);
  return null;
end;
$$;
create trigger memberships_keep_user after update of role, is_active on memberships
  for each row execute function keep_user_of_first_membership();

create table api_keys (
  id uuid primary key,
  version integer not null check (version > 0),
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  key_hash text not null check (key_hash ~ '^[0-9a-f]{64}$'),
  scopes text[] not null check (cardinality(scopes) > 0 and
    scopes <@ array['payments:read', 'payments:write', 'webhooks:read', 'webhooks:write', 'sandbox:simulate']),
  is_locked boolean not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  last_four text check (last_four ~ '^[0-9A-Za-z]{4}$'),
  constraint api_keys_one_per_hash unique (key_hash)
);
create index api_keys_by_merchant on api_keys (merchant_id, id);
create trigger api_keys_versioned before update or delete on api_keys
  for each row execute function refuse_unversioned_change();
create trigger api_keys_owned before update on api_keys
  for each row when ((old.merchant_id, old.environment) is distinct from (new.merchant_id, new.environment))
  execute function refuse_other_owner();

create table receiver_accounts (
  id uuid primary key,
  version integer not null check (version > 0),
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  payment_method text not null check (payment_method = any (${METHODS})),
  msisdn text not null check (msisdn ~ '^01[3-9][0-9]{8}$'),
  is_active boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  label text check (btrim(label) <> '' and length(label) <= 120),
  limits jsonb check (jsonb_typeof(limits) = 'object'),
  constraint receiver_accounts_one_per_number unique (merchant_id, environment, payment_method, msisdn)
);
create index receiver_accounts_by_merchant on receiver_accounts (merchant_id, id);
create index receiver_accounts_by_live_number on receiver_accounts (msisdn)
  where environment = 'LIVE' and is_active and deleted_at is null;
create trigger receiver_accounts_versioned before update or delete on receiver_accounts
  for each row execute function refuse_unversioned_change();
create trigger receiver_accounts_owned before update on receiver_accounts
  for each row when ((old.merchant_id, old.environment) is distinct from (new.merchant_id, new.environment))
  execute function refuse_other_owner();

-- hooks: [{id, adapter, hookHash, sealedSecret, createdAt}], part of the device, so that one version covers both.
create table devices (
  id uuid primary key,
  version integer not null check (version > 0),
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  key_hash text not null check (key_hash ~ '^[0-9a-f]{64}$'),
  sims jsonb not null check (jsonb_typeof(sims) = 'array'),
  is_disabled boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  paired_at timestamptz,
  hooks jsonb not null default '[]' check (jsonb_typeof(hooks) = 'array'),
  -- LIVE refuses texts that a forwarder app did not sign until an owner allows them for the device.
  allows_unsigned_texts boolean not null default false,
  constraint devices_one_per_hash unique (key_hash)
);
create index devices_by_merchant on devices (merchant_id, id);
create trigger devices_versioned before update or delete on devices
  for each row execute function refuse_unversioned_change();
create trigger devices_owned before update on devices
  for each row when ((old.merchant_id, old.environment) is distinct from (new.merchant_id, new.environment))
  execute function refuse_other_owner();

-- A code that an operator sent to a wallet number and that the merchant with its SIM entered. Closed: too many wrong tries,
-- replaced, or proven by another merchant later.
create table number_proofs (
  id uuid primary key,
  merchant_id uuid not null references merchants (id),
  msisdn text not null check (msisdn ~ '^01[3-9][0-9]{8}$'),
  code_hash text check (code_hash like '$argon2id$%'),
  wrong_tries integer not null default 0 check (wrong_tries between 0 and 5),
  created_by uuid not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  sent_at timestamptz,
  proven_at timestamptz,
  closed_at timestamptz,
  constraint number_proofs_sent_before_proven check (proven_at is null or (sent_at is not null and code_hash is not null)),
  constraint number_proofs_closed_when_tried_out check (wrong_tries < 5 or closed_at is not null)
);
create index number_proofs_by_merchant on number_proofs (merchant_id, id);
create unique index number_proofs_one_open on number_proofs (merchant_id, msisdn) where proven_at is null and closed_at is null;
create unique index number_proofs_one_holder on number_proofs (msisdn) where proven_at is not null and closed_at is null;

-- Two merchants could claim the money that arrives on a shared LIVE number, so a proof excludes other merchants. The lock
-- orders registrations and proofs of one number.
create function refuse_shared_live_number() returns trigger language plpgsql as $$
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
$$;
create trigger receiver_accounts_live_added before insert on receiver_accounts
  for each row when (new.environment = 'LIVE' and new.is_active and new.deleted_at is null)
  execute function refuse_shared_live_number();
create trigger receiver_accounts_live_opened before update on receiver_accounts
  for each row when (
    new.environment = 'LIVE' and new.is_active and new.deleted_at is null
    and (not old.is_active or old.deleted_at is not null or new.msisdn <> old.msisdn)
  )
  execute function refuse_shared_live_number();

-- Eight characters could be guessed: the hash is Argon2id, the code is valid for five minutes, and five wrong tries end it.
create table device_pairings (
  id uuid primary key,
  device_id uuid not null references devices (id),
  code_hash text not null check (code_hash like '$argon2id$%'),
  wrong_tries integer not null default 0 check (wrong_tries between 0 and 5),
  created_by uuid not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  closed_at timestamptz,
  constraint device_pairings_closed_when_used check (used_at is null or closed_at is not null),
  constraint device_pairings_closed_when_tried_out check (wrong_tries < 5 or closed_at is not null)
);
create index device_pairings_by_device on device_pairings (device_id);
create unique index device_pairings_one_open on device_pairings (device_id) where closed_at is null;

-- Observations of other services: without version and history; an older one never replaces a newer one.
create table api_key_uses (
  api_key_id uuid primary key,
  used_at timestamptz not null
);

create table device_sightings (
  device_id uuid primary key,
  seen_at timestamptz not null,
  sends_heartbeat boolean not null
);

-- Audit log
create table audit_log (
  id uuid primary key,
  at timestamptz not null,
  actor text not null check (actor <> ''),
  action text not null,
  subject_kind text not null,
  subject_id uuid not null,
  merchant_id uuid not null references merchants (id),
  environment text check (environment in ('SANDBOX', 'LIVE')),
  before jsonb,
  after jsonb,
  -- The person's reason, for changes that require one.
  reason text check (btrim(reason) <> '' and length(reason) <= 500)
);
create index audit_log_of_merchant on audit_log (merchant_id, at desc, id desc);
create index audit_log_of_subject on audit_log (subject_kind, subject_id, id);
create index audit_log_of_actor on audit_log (merchant_id, actor, at desc, id desc);
create index audit_log_of_action on audit_log (merchant_id, action, at desc, id desc);
create index audit_log_of_kind on audit_log (merchant_id, subject_kind, at desc, id desc);
create index audit_log_of_one on audit_log (merchant_id, subject_id, at desc, id desc);

-- Only retention deletes: 390 days are less than the shortest retention that can be set.
create function refuse_change_of_history() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.at < now() - interval '390 days' then
      return old;
    end if;
  end if;
  raise exception 'the audit log is only added to' using errcode = 'check_violation';
end;
$$;
create trigger audit_log_is_final before update or delete on audit_log
  for each row execute function refuse_change_of_history();
create trigger audit_log_is_kept before truncate on audit_log
  for each statement execute function refuse_change_of_history();

-- Sign-in
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_because text check (ended_because in (
    'logout', 'ended_elsewhere', 'password_changed', 'reuse_detected', 'access_withdrawn', 'two_factor_enabled')),
  -- Null: the first merchant of the user.
  merchant_id uuid references merchants (id),
  address text,
  user_agent text check (length(user_agent) <= 300),
  constraint sessions_end_for_a_reason check ((ended_at is null) = (ended_because is null))
);
create index sessions_open_by_user on sessions (user_id) where ended_at is null;
create index sessions_by_expiry on sessions (expires_at);

-- All tokens of a session are kept, so that the second use of one is recognised.
create table refresh_tokens (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  session_id uuid not null references sessions (id) on delete cascade,
  issued_at timestamptz not null,
  used_at timestamptz
);
create index refresh_tokens_by_session on refresh_tokens (session_id);
create unique index refresh_tokens_one_unused on refresh_tokens (session_id) where used_at is null;

-- sealed_secret: AES-256-GCM, <key id>:<base64>. last_step: the 30 seconds of the last accepted code; earlier codes are refused.
create table second_factors (
  user_id uuid primary key references users (id),
  sealed_secret text not null check (sealed_secret ~ '^[A-Za-z0-9_]{1,20}:[A-Za-z0-9+/=]+$'),
  created_at timestamptz not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0
);

create table recovery_codes (
  user_id uuid not null references second_factors (user_id) on delete cascade,
  code_hash text not null check (code_hash ~ '^[0-9a-f]{64}$'),
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- The columns that rate-limiter-flexible requires; times are milliseconds since 1970.
create table login_attempts (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index login_attempts_by_expiry on login_attempts (expire);
-- The command line deletes all counts of an account.
create index login_attempts_by_prefix on login_attempts (key varchar_pattern_ops);

-- token_hash: SHA-256 of 32 random bytes in a cookie of the browser.
create table known_browsers (
  token_hash text primary key check (token_hash ~ '^[0-9a-f]{64}$'),
  user_id uuid not null references users (id),
  created_at timestamptz not null,
  used_at timestamptz not null,
  expires_at timestamptz not null
);
create index known_browsers_by_user on known_browsers (user_id, used_at desc);
create index known_browsers_by_expiry on known_browsers (expires_at);

-- token_hash: SHA-256 of 32 random bytes that were shown once.
create table invitations (
  id uuid primary key,
  merchant_id uuid not null references merchants (id),
  email text not null check (email = lower(email) and length(email) <= 254),
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  role text not null check (role in ('OWNER', 'ADMIN', 'REVIEWER', 'DEVELOPER', 'VIEWER')),
  token_hash text not null check (token_hash ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  created_by uuid not null references users (id),
  created_at timestamptz not null,
  constraint invitations_one_per_token unique (token_hash),
  constraint invitations_end_once check (accepted_at is null or revoked_at is null)
);
create index invitations_by_merchant on invitations (merchant_id, id);
create index invitations_open_by_email on invitations (merchant_id, email)
  where accepted_at is null and revoked_at is null;
-- For the daily limit of a merchant.
create index invitations_by_time on invitations (merchant_id, created_at);

-- sealed: receiver, subject and text, AES-256-GCM, <key id>:<base64>. A row is deleted when its mail was sent or given up.
create table mails (
  id uuid primary key,
  sealed text not null check (sealed ~ '^[A-Za-z0-9_]{1,20}:[A-Za-z0-9+/=]+$'),
  attempts integer not null default 0,
  created_at timestamptz not null,
  due_at timestamptz not null
);
create index mails_by_due_time on mails (due_at);

-- For one user, or for all users who manage a merchant.
create table notices (
  id uuid primary key,
  user_id uuid references users (id),
  merchant_id uuid references merchants (id),
  kind text not null check (kind <> ''),
  details jsonb not null check (jsonb_typeof(details) = 'object'),
  created_at timestamptz not null,
  constraint notices_for_one_or_the_other check ((user_id is null) <> (merchant_id is null))
);
create index notices_by_user on notices (user_id, created_at desc) where user_id is not null;
create index notices_by_merchant on notices (merchant_id, created_at desc) where merchant_id is not null;
create index notices_by_time on notices (created_at);

-- Alerts. Without a row the defaults apply.
create table alert_settings (
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  kinds text[] not null check (kinds <@ array['device_silent', 'exceptions_waiting', 'endpoint_failing', 'sms_missing']),
  updated_at timestamptz not null,
  primary key (merchant_id, environment)
);

-- An alert is open until closed_at.
create table merchant_alerts (
  id uuid primary key,
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  kind text not null check (kind in ('device_silent', 'exceptions_waiting', 'endpoint_failing', 'sms_missing')),
  subject text not null,
  name text,
  count integer not null check (count > 0),
  since timestamptz not null,
  opened_at timestamptz not null,
  mailed_at timestamptz,
  closed_at timestamptz
);
create unique index merchant_alerts_one_open on merchant_alerts (merchant_id, environment, kind, subject) where closed_at is null;
create index merchant_alerts_not_mailed on merchant_alerts (merchant_id, environment) where closed_at is null and mailed_at is null;
create index merchant_alerts_of_tenant on merchant_alerts (merchant_id, environment, id desc);
create index merchant_alerts_mailed on merchant_alerts (merchant_id, environment, mailed_at) where mailed_at is not null;

-- One row: the replica that changes next_at makes the next round.
create table alert_rounds (
  id smallint primary key default 1 check (id = 1),
  next_at timestamptz not null
);
insert into alert_rounds (next_at) values ('-infinity');

-- Payment audit. One row: one replica audits at a time, and older slices take turns.
create table payment_audit (
  id smallint primary key default 1 check (id = 1),
  owner uuid,
  leased_until timestamptz not null default '-infinity',
  next_slice timestamptz
);
insert into payment_audit default values;

-- A mismatch is confirmed when a second round finds it, too: an event may be on its way between the services.
create table payment_audit_findings (
  payment_intent_id uuid not null,
  kind text not null,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  decided_at timestamptz not null,
  first_seen_at timestamptz not null,
  confirmed_at timestamptz,
  resolved_at timestamptz,
  primary key (payment_intent_id, kind)
);
create index payment_audit_findings_open on payment_audit_findings (decided_at) where resolved_at is null;
create index payment_audit_findings_resolved on payment_audit_findings (resolved_at) where resolved_at is not null;

-- Sandbox: one request to run test cases.
create table test_suites (
  id uuid primary key,
  merchant_id uuid not null references merchants (id),
  environment text not null default 'SANDBOX' check (environment = 'SANDBOX'),
  started_by text not null check (started_by ~ '^(user|api_key):'),
  success_url text,
  created_at timestamptz not null
);

-- One run of one test case. Only the process with the lease writes the columns with results.
create table test_runs (
  id uuid primary key,
  suite_id uuid not null references test_suites (id) on delete cascade,
  merchant_id uuid not null references merchants (id),
  environment text not null default 'SANDBOX' check (environment = 'SANDBOX'),
  place integer not null check (place >= 0),
  test_case text not null,
  status text not null default 'QUEUED' check (status in ('QUEUED', 'RUNNING', 'ENDED')),
  result text check (result in ('PASSED', 'FAILED', 'SKIPPED', 'ERROR')),
  reason text,
  steps jsonb not null default '[]',
  expectations jsonb not null default '[]',
  evidence jsonb not null default '{"paymentIntentIds":[],"smsEventIds":[],"matchIds":[],"webhooks":[],"shopRequests":[]}',
  revision integer not null default 0,
  plays integer not null default 0,
  lease_owner uuid,
  lease_until timestamptz,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  constraint test_runs_end_with_a_result check ((status = 'ENDED') = (result is not null) and (status = 'ENDED') = (ended_at is not null)),
  constraint test_runs_lease check ((status = 'RUNNING') = (lease_owner is not null) and (lease_owner is null) = (lease_until is null))
);
create index test_runs_of_suite on test_runs (suite_id, place);
create index test_runs_of_merchant on test_runs (merchant_id, id desc);
create index test_runs_open on test_runs (merchant_id, created_at) where status <> 'ENDED';

-- The API key with which runs of a merchant create intents. The key itself is encrypted.
create table test_api_keys (
  merchant_id uuid primary key references merchants (id),
  environment text not null default 'SANDBOX' check (environment = 'SANDBOX'),
  api_key_id uuid not null references api_keys (id),
  sealed_key text not null,
  expires_at timestamptz not null
);

-- A webhook endpoint of a merchant that this service answers. Its token authorises requests to it.
create table test_endpoints (
  merchant_id uuid primary key references merchants (id),
  environment text not null default 'SANDBOX' check (environment = 'SANDBOX'),
  token text not null unique,
  sealed_secret text not null,
  endpoint_id uuid,
  response_status integer not null default 200 check (response_status between 200 and 599),
  response_delay_seconds integer not null default 0 check (response_delay_seconds between 0 and 20)
);

-- How the next requests about an intent are answered.
create table test_endpoint_rules (
  payment_intent_id uuid primary key,
  merchant_id uuid not null references merchants (id),
  environment text not null default 'SANDBOX' check (environment = 'SANDBOX'),
  requests_left integer not null check (requests_left >= 0),
  response_status integer not null check (response_status between 200 and 599),
  response_delay_seconds integer not null check (response_delay_seconds between 0 and 20),
  created_at timestamptz not null
);
create index test_endpoint_rules_created on test_endpoint_rules (created_at);

create table test_endpoint_requests (
  id uuid primary key,
  merchant_id uuid not null references merchants (id),
  environment text not null default 'SANDBOX' check (environment = 'SANDBOX'),
  received_at timestamptz not null,
  headers jsonb not null,
  body text not null,
  signature text not null check (signature in ('VALID', 'INVALID')),
  event_type text,
  payment_intent_id uuid,
  body_environment text,
  response_status integer not null
);
create index test_endpoint_requests_of_merchant on test_endpoint_requests (merchant_id, id desc);
create index test_endpoint_requests_of_intent on test_endpoint_requests (payment_intent_id) where payment_intent_id is not null;
create index test_endpoint_requests_received on test_endpoint_requests (received_at);

-- The test clock of a merchant advances while left_ms is positive; the step is the part that is being played.
create table test_clocks (
  merchant_id uuid primary key references merchants (id),
  environment text not null default 'SANDBOX' check (environment = 'SANDBOX'),
  advanced_ms bigint not null default 0 check (advanced_ms >= 0),
  request_id uuid,
  left_ms bigint not null default 0 check (left_ms >= 0),
  step_id uuid,
  step_ms bigint check (step_ms > 0 and step_ms <= left_ms),
  waits_for text check (waits_for in ('services', 'intake', 'webhooks', 'expiry')),
  played_at timestamptz not null default now(),
  -- Compared when a requestId repeats. Example: seconds=60.
  requested text,
  constraint test_clocks_step_is_whole check ((step_id is null) = (step_ms is null))
);
create index test_clocks_advancing on test_clocks (played_at) where left_ms > 0;
`,
};
