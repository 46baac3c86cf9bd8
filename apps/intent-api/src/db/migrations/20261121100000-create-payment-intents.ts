import type { Migration } from '@pay/persistence';

export const createPaymentIntents: Migration = {
  name: '20261121100000-create-payment-intents',
  sql: `
create table payment_intents (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  idempotency_key text not null,
  parameters_hash text not null,
  sequence integer not null default 1,
  decision_sequence integer not null default 0,
  status text not null default 'PENDING'
    check (status in ('PENDING', 'PAID', 'FAILED', 'EXPIRED', 'REJECTED', 'REVIEW_REQUIRED')),
  amount bigint not null check (amount > 0),
  currency text not null check (currency = 'BDT'),
  customer_reference text not null,
  reference_key text not null check (reference_key <> ''),
  merchant_reference text,
  payment_method text,
  receiver_account_id uuid,
  receiver_msisdn text,
  shown_receivers jsonb not null,
  method_fixed boolean not null,
  expected_trx_id text,
  expected_sender_msisdn text,
  customer_id text,
  language text check (language in ('en', 'bn')),
  success_url text,
  failed_url text,
  cancel_url text,
  expired_url text,
  metadata jsonb,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  paid_at timestamptz,
  constraint payment_intents_paid_at_is_of_paid check ((status = 'PAID') = (paid_at is not null)),
  constraint payment_intents_one_per_idempotency_key unique (merchant_id, environment, idempotency_key),
  constraint payment_intents_one_per_reference unique (merchant_id, environment, reference_key)
);

create index payment_intents_newest_first
  on payment_intents (merchant_id, environment, created_at desc, id desc);
create index payment_intents_newest_first_by_status
  on payment_intents (merchant_id, environment, status, created_at desc, id desc);

-- The same table of moves as src/domain/lifecycle.ts: whatever writes here, PAID and REJECTED stay final.
create function payment_intents_refuse_illegal_move() returns trigger language plpgsql as $$
begin
  if (old.status, new.status) in (
    ('PENDING', 'PAID'), ('PENDING', 'REVIEW_REQUIRED'), ('PENDING', 'EXPIRED'), ('PENDING', 'FAILED'),
    ('REVIEW_REQUIRED', 'PAID'), ('REVIEW_REQUIRED', 'REJECTED'),
    ('EXPIRED', 'PAID'), ('FAILED', 'PAID')
  ) then
    return new;
  end if;
  raise exception 'a payment intent cannot move from % to %', old.status, new.status using errcode = 'check_violation';
end;
$$;
create trigger payment_intents_legal_moves before update of status on payment_intents
  for each row when (old.status is distinct from new.status)
  execute function payment_intents_refuse_illegal_move();

create function payment_intents_refuse_change_of_terms() returns trigger language plpgsql as $$
begin
  raise exception 'the terms of a payment intent never change' using errcode = 'check_violation';
end;
$$;
create trigger payment_intents_fixed_terms before update on payment_intents
  for each row when (
    (old.merchant_id, old.environment, old.amount, old.currency, old.reference_key, old.created_at)
      is distinct from (new.merchant_id, new.environment, new.amount, new.currency, new.reference_key, new.created_at)
  )
  execute function payment_intents_refuse_change_of_terms();
`,
};
