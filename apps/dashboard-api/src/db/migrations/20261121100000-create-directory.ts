import type { Migration } from '@pay/persistence';

const METHODS = `array['BKASH_PAYMENT', 'BKASH_SEND_MONEY', 'BKASH_CASHOUT', 'NAGAD_PAYMENT', 'NAGAD_SEND_MONEY', 'NAGAD_CASHOUT']`;
const SCOPES = `array['payments:read', 'payments:write', 'webhooks:read', 'webhooks:write']`;

const VERSIONED_TABLES = ['merchants', 'users', 'api_keys', 'receiver_accounts', 'devices'];

export const createDirectory: Migration = {
  name: '20261121100000-create-directory',
  sql: `
create table merchants (
  id uuid primary key,
  version integer not null check (version > 0),
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  is_active boolean not null,
  enabled_methods text[] not null check (enabled_methods <@ ${METHODS}),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);

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

create table api_keys (
  id uuid primary key,
  version integer not null check (version > 0),
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  key_hash text not null check (key_hash ~ '^[0-9a-f]{64}$'),
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ ${SCOPES}),
  is_locked boolean not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  constraint api_keys_one_per_hash unique (key_hash)
);
create index api_keys_by_merchant on api_keys (merchant_id, id);

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
  constraint receiver_accounts_one_per_number unique (merchant_id, environment, payment_method, msisdn)
);

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
  constraint devices_one_per_hash unique (key_hash)
);
create index devices_by_merchant on devices (merchant_id, id);

-- Copies keep the highest version they have seen: a change without a new version would never reach them, and a row that is gone
-- could not be told from one that never was.
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
${VERSIONED_TABLES.map(
  (table) => `create trigger ${table}_versioned before update or delete on ${table}
  for each row execute function refuse_unversioned_change();`,
).join('\n')}

create function refuse_other_owner() returns trigger language plpgsql as $$
begin
  raise exception 'what belongs to a merchant and an environment stays there' using errcode = 'check_violation';
end;
$$;
${['api_keys', 'receiver_accounts', 'devices']
  .map(
    (table) => `create trigger ${table}_owned before update on ${table}
  for each row when ((old.merchant_id, old.environment) is distinct from (new.merchant_id, new.environment))
  execute function refuse_other_owner();`,
  )
  .join('\n')}

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
  after jsonb
);
create index audit_log_of_merchant on audit_log (merchant_id, at desc, id desc);
create index audit_log_of_subject on audit_log (subject_kind, subject_id, id);

create function refuse_change_of_history() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is only added to' using errcode = 'check_violation';
end;
$$;
create trigger audit_log_is_final before update or delete on audit_log
  for each row execute function refuse_change_of_history();
create trigger audit_log_is_kept before truncate on audit_log
  for each statement execute function refuse_change_of_history();
`,
};
