import type { Migration } from '@pay/persistence';

export const manageFromTheDashboard: Migration = {
  name: '20261121130000-manage-from-the-dashboard',
  sql: `
alter table api_keys
  add column last_four text check (last_four ~ '^[0-9A-Za-z]{4}$');

alter table receiver_accounts
  add column label text check (btrim(label) <> '' and length(label) <= 120),
  add column limits jsonb check (jsonb_typeof(limits) = 'object');
create index receiver_accounts_by_merchant on receiver_accounts (merchant_id, id);

alter table devices
  add column paired_at timestamptz;

-- Money that comes in on a LIVE number could be claimed by two merchants otherwise. Who decides waits for whoever decides on the same
-- number, and looks afterwards; a number that is switched off may be taken over.
create index receiver_accounts_by_live_number on receiver_accounts (msisdn)
  where environment = 'LIVE' and is_active and deleted_at is null;
create function refuse_shared_live_number() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('live number ' || new.msisdn, 0));
  if exists (
    select from receiver_accounts other
     where other.msisdn = new.msisdn and other.environment = 'LIVE' and other.is_active and other.deleted_at is null
       and other.merchant_id <> new.merchant_id
  ) then
    raise exception 'an active LIVE number belongs to one merchant'
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

-- Eight characters could be tried out: their hash is Argon2id, their time is five minutes, and five wrong ones end it.
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

-- News, not state: no version, no history, and older news never wins.
create table api_key_uses (
  api_key_id uuid primary key,
  used_at timestamptz not null
);

create index audit_log_of_actor on audit_log (merchant_id, actor, at desc, id desc);
create index audit_log_of_action on audit_log (merchant_id, action, at desc, id desc);
create index audit_log_of_kind on audit_log (merchant_id, subject_kind, at desc, id desc);
create index audit_log_of_one on audit_log (merchant_id, subject_id, at desc, id desc);
`,
};
