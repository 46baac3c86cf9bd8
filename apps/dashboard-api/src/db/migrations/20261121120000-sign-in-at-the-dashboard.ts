import type { Migration } from '@pay/persistence';

const HASH = `~ '^[0-9a-f]{64}$'`;

export const signInAtTheDashboard: Migration = {
  name: '20261121120000-sign-in-at-the-dashboard',
  sql: `
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ended_because text check (ended_because in ('logout', 'password_changed', 'reuse_detected', 'access_withdrawn')),
  constraint sessions_end_for_a_reason check ((ended_at is null) = (ended_because is null))
);
create index sessions_open_by_user on sessions (user_id) where ended_at is null;
create index sessions_by_expiry on sessions (expires_at);

-- Every token that a session ever had: one that is used a second time is known as such, and by its session.
create table refresh_tokens (
  token_hash text primary key check (token_hash ${HASH}),
  session_id uuid not null references sessions (id) on delete cascade,
  issued_at timestamptz not null,
  used_at timestamptz
);
create index refresh_tokens_by_session on refresh_tokens (session_id);
create unique index refresh_tokens_one_unused on refresh_tokens (session_id) where used_at is null;

-- sealed_secret: AES-256-GCM, <key id>:<base64>. last_step: the 30 seconds of the code that was accepted last; no earlier one counts.
create table second_factors (
  user_id uuid primary key references users (id),
  sealed_secret text not null check (sealed_secret ~ '^[A-Za-z0-9_]{1,20}:[A-Za-z0-9+/=]+$'),
  created_at timestamptz not null,
  confirmed_at timestamptz,
  last_step bigint not null default 0
);

create table recovery_codes (
  user_id uuid not null references second_factors (user_id) on delete cascade,
  code_hash text not null check (code_hash ${HASH}),
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- The form that rate-limiter-flexible expects; times are milliseconds since 1970.
create table login_attempts (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index login_attempts_by_expiry on login_attempts (expire);
`,
};
