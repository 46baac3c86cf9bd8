import type { Migration } from '@pay/persistence';

export const createTestRuns: Migration = {
  name: '20261123061000-create-test-runs',
  sql: `
-- One request to run test cases. All of it exists in SANDBOX only.
create table test_suites (
  id uuid primary key,
  merchant_id uuid not null references merchants (id),
  environment text not null default 'SANDBOX' check (environment = 'SANDBOX'),
  started_by text not null check (started_by ~ '^(user|api_key):'),
  success_url text,
  created_at timestamptz not null
);

-- One run of one test case. The lease says which process plays it; the columns with results are written by that process alone.
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

-- A webhook endpoint of a merchant that this service answers itself. Whoever knows its token may send requests to it.
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
`,
};
