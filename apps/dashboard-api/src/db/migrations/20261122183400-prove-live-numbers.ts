import type { Migration } from '@pay/persistence';

export const proveLiveNumbers: Migration = {
  name: '20261122183400-prove-live-numbers',
  sql: `
-- A code that was sent to a wallet number by an operator, and that came back from the merchant who has its SIM. Closed: tried out, replaced,
-- or, after it was proven, taken over by another merchant's proof.
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

-- Registering a number keeps nobody else from it any more; a proof does. Both wait for each other by the lock on the number.
create or replace function refuse_shared_live_number() returns trigger language plpgsql as $$
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
`,
};
