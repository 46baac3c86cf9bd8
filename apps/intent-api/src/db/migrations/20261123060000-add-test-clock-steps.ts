import type { Migration } from '@pay/persistence';

export const addTestClockSteps: Migration = {
  name: '20261123060000-add-test-clock-steps',
  sql: `
-- How far the deadlines of a SANDBOX tenant were moved, and how far that has come. Open intents up to done_to are moved.
create table test_clock_steps (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment = 'SANDBOX'),
  milliseconds bigint not null check (milliseconds > 0),
  began_at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  done_to uuid not null default '00000000-0000-0000-0000-000000000000',
  is_moved boolean not null default false,
  expiring uuid[] not null default '{}'
);
create index test_clock_steps_began on test_clock_steps (began_at);

create function payment_intents_refuse_to_move_expiry() returns trigger language plpgsql as $$
begin
  if new.environment = 'SANDBOX' and new.expires_at < old.expires_at then
    return new;
  end if;
  raise exception 'the expiry of a payment intent moves in SANDBOX only, and to an earlier time only'
    using errcode = 'check_violation', constraint = 'payment_intents_expiry_moves';
end;
$$;

create trigger payment_intents_expiry_moves before update of expires_at on payment_intents
  for each row when (old.expires_at is distinct from new.expires_at)
  execute function payment_intents_refuse_to_move_expiry();
`,
};
