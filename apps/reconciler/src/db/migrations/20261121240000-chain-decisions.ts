import type { Migration } from '@pay/persistence';

/**
 * Every decision is kept as it was made, signed with a key that the database does not know, and linked by a worker into the chain of its
 * tenant. Matches that were decided before have no entries.
 */
export const chainDecisions: Migration = {
  name: '20261121240000-chain-decisions',
  sql: `
create table decisions (
  id uuid primary key,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  match_id uuid not null,
  sms_event_id uuid,
  payment_intent_id uuid,
  decided_at timestamptz not null,
  -- Canonical JSON, byte for byte what was signed.
  record text not null,
  key_id text not null,
  mac bytea not null check (length(mac) = 32),
  position bigint check (position > 0),
  link_key_id text,
  link bytea check (length(link) = 32),
  check ((position is null) = (link is null) and (position is null) = (link_key_id is null))
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.05);
create unique index decisions_in_order on decisions (merchant_id, environment, position) where position is not null;
create index decisions_unsealed on decisions (merchant_id, environment, id) where position is null;
create index decisions_of_match on decisions (match_id);
create index decisions_of_intent on decisions (payment_intent_id) where payment_intent_id is not null;

create table decision_chains (
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  position bigint not null default 0 check (position >= 0),
  -- Null: nothing is sealed yet.
  link bytea check (length(link) = 32),
  sealed_at timestamptz,
  primary key (merchant_id, environment),
  check ((position = 0) = (link is null))
);

create function refuse_decision_change() returns trigger language plpgsql as $$
begin
  raise exception 'decision % is kept as it is', old.id
    using errcode = 'check_violation', constraint = 'decisions_are_kept';
end $$;
create trigger decisions_are_not_deleted before delete on decisions for each row execute function refuse_decision_change();
-- Sealing is the one change there is.
create trigger decisions_are_not_changed before update on decisions for each row
  when (old.position is not null or (old.id, old.merchant_id, old.environment, old.match_id, old.sms_event_id, old.payment_intent_id,
      old.decided_at, old.record, old.key_id, old.mac)
    is distinct from (new.id, new.merchant_id, new.environment, new.match_id, new.sms_event_id, new.payment_intent_id,
      new.decided_at, new.record, new.key_id, new.mac))
  execute function refuse_decision_change();
`,
};
