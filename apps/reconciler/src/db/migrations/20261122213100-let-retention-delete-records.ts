import type { Migration } from '@pay/persistence';

/**
 * Records of money may be deleted, by retention alone: decisions up to the signed cut of their chain, actions of people after 390 days.
 * `cut_through` is the time of the latest deleted decision.
 */
export const letRetentionDeleteRecords: Migration = {
  name: '20261122213100-let-retention-delete-records',
  sql: `
alter table decision_chains
  add column cut_position bigint check (cut_position > 0),
  add column cut_link bytea check (length(cut_link) = 32),
  add column cut_through timestamptz,
  add column cut_key_id text,
  add column cut_mac bytea check (length(cut_mac) = 32),
  add constraint decision_chains_cut_is_whole
    check (num_nulls(cut_position, cut_link, cut_through, cut_key_id, cut_mac) in (0, 5)),
  add constraint decision_chains_cut_before_end check (cut_position <= position);

create or replace function refuse_decision_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.decided_at < now() - interval '390 days' and old.position <= (
    select cut_position from decision_chains c where c.merchant_id = old.merchant_id and c.environment = old.environment)
  then
    return old;
  end if;
  raise exception 'decision % is kept as it is', old.id
    using errcode = 'check_violation', constraint = 'decisions_are_kept';
end $$;

create function refuse_review_action_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.done_at < now() - interval '390 days' then
    return old;
  end if;
  raise exception 'review_actions are never changed' using errcode = 'check_violation', constraint = 'review_actions_are_final';
end $$;
drop trigger review_actions_are_final on review_actions;
create trigger review_actions_are_final before update or delete on review_actions
  for each row execute function refuse_review_action_change();
drop function refuse_change();

create index disputes_of_sms on disputes (sms_event_id);
`,
};
