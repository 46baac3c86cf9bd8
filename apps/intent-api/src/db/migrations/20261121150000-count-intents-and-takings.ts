import type { Migration } from '@pay/persistence';

export const countIntentsAndTakings: Migration = {
  name: '20261121150000-count-intents-and-takings',
  sql: `
alter table payment_intents
  add column expired_at timestamptz,
  add column failed_at timestamptz,
  add column rejected_at timestamptz,
  add column review_required_at timestamptz,
  add column failure_reason text;
-- Rows are added by the thousand: without a visibility map that follows, an index alone cannot answer.
alter table payment_intents set (
  autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

-- How many intents are in each status, so that the total of a list costs the same for ten and for ten million. Written in the
-- transaction of the change. A shard alone means nothing and may be negative; the sum over all of them is exact.
create table intent_counters (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  status text not null,
  -- '' while the customer has not chosen.
  payment_method text not null,
  shard smallint not null,
  intents bigint not null,
  primary key (merchant_id, environment, status, payment_method, shard)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- What each receiver account was paid, by the day of Asia/Dhaka.
create table receiver_takings (
  receiver_account_id uuid not null,
  day date not null,
  amount bigint not null,
  payments integer not null,
  primary key (receiver_account_id, day)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

create table device_sightings (
  device_id uuid primary key,
  seen_at timestamptz not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- Nothing may be created or moved between being counted here and the end of this step.
lock table payment_intents in share row exclusive mode;
insert into intent_counters (merchant_id, environment, status, payment_method, shard, intents)
select merchant_id, environment, status, coalesce(payment_method, ''), 0, count(*) from payment_intents group by 1, 2, 3, 4;
insert into receiver_takings (receiver_account_id, day, amount, payments)
select receiver_account_id, (paid_at at time zone 'Asia/Dhaka')::date, sum(amount), count(*) from payment_intents
where status = 'PAID' and receiver_account_id is not null group by 1, 2;

create index payment_intents_newest_first_by_method
  on payment_intents (merchant_id, environment, payment_method, created_at desc, id desc) include (status)
  where payment_method is not null;
create index payment_intents_newest_first_by_merchant_reference
  on payment_intents (merchant_id, environment, merchant_reference, created_at desc, id desc)
  where merchant_reference is not null;
`,
};
