import type { Migration } from '@pay/persistence';

/**
 * What people decide about matches, and the queue they find them in. That only a person resolves, rejects or reopens is a law of the
 * database. The previous version writes none of these columns and none of these statuses.
 */
export const letPeopleDecide: Migration = {
  name: '20261121230000-let-people-decide',
  sql: `
alter table matches
  add column decided_by text not null default 'system' check (decided_by = 'system' or decided_by like 'user:_%'),
  add column resolution_note text check (length(resolution_note) between 1 and 500),
  add column assignee_id uuid,
  add constraint matches_resolved_by_a_person check (
    status not in ('MANUALLY_RESOLVED', 'REJECTED') or (decided_by <> 'system' and resolution_note is not null)),
  add constraint matches_pay_when_resolved check (status <> 'MANUALLY_RESOLVED' or pays_intent_id is not null);

-- Every act of a person, by the id under which it is recognised when it is sent again. Never changed.
create table review_actions (
  id uuid primary key,
  match_id uuid not null references matches (id),
  action text not null check (action in ('resolve', 'link', 'reject', 'refunded', 'not-ours', 'reopen', 'assign')),
  actor_id uuid not null,
  actor_role text not null check (actor_role in ('OWNER', 'ADMIN', 'REVIEWER')),
  note text not null check (length(note) between 1 and 500),
  payment_intent_id uuid,
  assignee_id uuid,
  -- What the person was shown and accepted all the same.
  acknowledged jsonb not null default '{}',
  done_at timestamptz not null
);
create index review_actions_of_match on review_actions (match_id, done_at);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% are never changed', tg_table_name using errcode = 'check_violation', constraint = tg_name;
end $$;
create trigger review_actions_are_final before update or delete on review_actions
  for each row execute function refuse_change();

-- The queue that a match is in: what is wrong with it while it is open, 'closed' after a person has decided. Null: nobody's business.
create function exception_of(status text, reason text) returns text language sql immutable parallel safe as $$
  select case status
    when 'REVIEW_REQUIRED' then case
      when reason in ('reference_match_amount_mismatch', 'trx_id_match_amount_mismatch') then 'amount_differs'
      when reason = 'late_payment' then 'late_payment'
      when reason = 'intent_already_paid' then 'paid_twice'
      when reason = 'intent_closed' then 'intent_closed'
      when reason in ('wrong_method', 'wrong_receiver', 'receiver_unknown') then 'went_elsewhere'
      else 'doubtful' end
    when 'PENDING' then 'no_intent'
    when 'EXPIRED' then 'no_intent'
    when 'FAILED' then 'method_not_allowed'
    when 'UNPARSED' then case when reason = 'not_collected' then null else 'unparsed' end
    when 'MANUALLY_RESOLVED' then 'closed'
    when 'REJECTED' then 'closed'
  end
$$;
create index matches_exceptions on matches
  (merchant_id, environment, exception_of(status, reason), created_at desc, id desc)
  where status not in ('MATCHED', 'DUPLICATE');
create index matches_exceptions_of_assignee on matches
  (merchant_id, environment, assignee_id, exception_of(status, reason), created_at desc, id desc)
  where assignee_id is not null and status not in ('MATCHED', 'DUPLICATE');
-- Suggestions: intents for exactly this amount that money may have been meant for.
create index intents_unpaid_by_amount on intents (merchant_id, environment, amount, created_at)
  where status in ('PENDING', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED');

create or replace function guard_match_move() returns trigger language plpgsql as $$
declare
  by_person constant boolean := new.decided_by like 'user:%';
begin
  if new.status in ('MANUALLY_RESOLVED', 'REJECTED') or old.status = 'REJECTED' then
    if by_person and (
      (new.status = 'MANUALLY_RESOLVED' and old.status in ('PENDING', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED'))
      or (new.status = 'REJECTED' and old.status in ('PENDING', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED', 'UNPARSED'))
      -- A person takes back that it was set aside.
      or (new.status = 'REVIEW_REQUIRED' and old.status = 'REJECTED'))
    then
      return new;
    end if;
  elsif (old.status = 'PENDING' and new.status in ('MATCHED', 'REVIEW_REQUIRED', 'EXPIRED'))
    or (old.status = 'REVIEW_REQUIRED' and new.status = 'MATCHED')
    or (old.status = 'EXPIRED' and new.status = 'REVIEW_REQUIRED')
    or (old.status = 'UNPARSED' and new.status in ('PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'FAILED', 'DUPLICATE'))
    -- A later parser has read the text otherwise.
    or (new.facts_sequence > old.facts_sequence and (
      (old.status = 'PENDING' and new.status in ('FAILED', 'DUPLICATE'))
      or (old.status = 'REVIEW_REQUIRED' and new.status in ('PENDING', 'EXPIRED', 'FAILED', 'DUPLICATE'))
      or (old.status = 'EXPIRED' and new.status in ('FAILED', 'DUPLICATE'))
      or (old.status = 'FAILED' and new.status in ('PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'DUPLICATE'))
      or (old.status = 'DUPLICATE' and new.status in ('PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'FAILED'))))
  then
    return new;
  end if;
  raise exception 'match % cannot go from % to % by %', old.id, old.status, new.status, new.decided_by
    using errcode = 'check_violation', constraint = 'matches_legal_moves';
end $$;
`,
};
