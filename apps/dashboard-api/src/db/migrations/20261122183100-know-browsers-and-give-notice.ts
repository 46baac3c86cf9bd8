import type { Migration } from '@pay/persistence';

export const knowBrowsersAndGiveNotice: Migration = {
  name: '20261122183100-know-browsers-and-give-notice',
  sql: `
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

-- For one person, or for everybody who manages a merchant.
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

-- The command line forgets every count of an account at once.
create index login_attempts_by_prefix on login_attempts (key varchar_pattern_ops);
`,
};
