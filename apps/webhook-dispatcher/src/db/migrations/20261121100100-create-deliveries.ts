import type { Migration } from '@pay/persistence';

/**
 * `body` is text, not jsonb: these very bytes are signed and sent. `attempts` rows are updated once, with their result, and no
 * index covers what changes: room in the page keeps that update out of the indexes.
 */
export const createDeliveries: Migration = {
  name: '20261121100100-create-deliveries',
  sql: `
create table deliveries (
  id uuid primary key,
  endpoint_id uuid not null references endpoints (id),
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  payment_intent_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  occurred_at timestamptz not null,
  idempotency_key text not null,
  body text not null,
  status text not null default 'PENDING' check (status in ('PENDING', 'DELIVERED', 'RETRYING', 'FAILED')),
  attempt integer not null default 0 check (attempt >= 0),
  status_code integer,
  next_attempt_at timestamptz,
  lease_owner uuid,
  delivered_at timestamptz,
  created_at timestamptz not null default now(),
  constraint deliveries_once_per_endpoint unique (endpoint_id, idempotency_key),
  constraint deliveries_final_rests check (
    status in ('PENDING', 'RETRYING') or (next_attempt_at is null and lease_owner is null)
  ),
  constraint deliveries_lease_ends check (lease_owner is null or next_attempt_at is not null),
  constraint deliveries_delivered_has_time check ((status = 'DELIVERED') = (delivered_at is not null))
);
comment on column deliveries.next_attempt_at is
  'when the scheduler looks at the delivery next: its next attempt or, while leased, the end of the lease; null while it is held or final';
create index deliveries_due on deliveries (endpoint_id, next_attempt_at) where next_attempt_at is not null;
create index deliveries_of_tenant on deliveries (merchant_id, environment, id desc);
create index deliveries_open_of_tenant on deliveries (merchant_id, environment, status, id desc) where status <> 'DELIVERED';
create index deliveries_of_endpoint on deliveries (endpoint_id, id desc);
create index deliveries_of_intent on deliveries (payment_intent_id);

create table attempts (
  delivery_id uuid not null references deliveries (id),
  attempt integer not null check (attempt > 0),
  trigger text not null check (trigger in ('schedule')),
  started_at timestamptz not null,
  finished_at timestamptz,
  outcome text,
  http_status integer,
  detail text,
  headers_ms integer,
  total_ms integer,
  response text,
  worker_id uuid not null,
  primary key (delivery_id, attempt)
) with (fillfactor = 70);
`,
};
