import type { Migration } from '@pay/persistence';

export const addTestClockSteps: Migration = {
  name: '20261123060100-add-test-clock-steps',
  sql: `
-- How far the deadlines of a SANDBOX tenant were moved.
create table test_clock_steps (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment = 'SANDBOX'),
  milliseconds bigint not null check (milliseconds > 0),
  began_at timestamptz not null default clock_timestamp(),
  is_moved boolean not null default false
);
create index test_clock_steps_began on test_clock_steps (began_at);

-- The end of the match window, where a test clock has moved it. Null: the usual time after ingested_at.
alter table evidence add column waits_until timestamptz;
alter table evidence add constraint evidence_waits_until_in_sandbox
  check (waits_until is null or environment = 'SANDBOX') not valid;
create index evidence_waits_until on evidence (waits_until) where state = 'WAITING' and waits_until is not null;

create function refuse_to_move_expiry() returns trigger language plpgsql as $$
begin
  if new.environment = 'SANDBOX' and new.expires_at < old.expires_at then
    return new;
  end if;
  raise exception 'the expiry of intent % moves in SANDBOX only, and to an earlier time only', new.id
    using errcode = 'check_violation', constraint = 'intents_expiry_moves';
end $$;

create trigger intents_expiry_moves before update of expires_at on intents
  for each row when (old.expires_at is distinct from new.expires_at) execute function refuse_to_move_expiry();
`,
};
