import type { Migration } from '@pay/persistence';

/**
 * Exceptions are found by reason, receiver account and amount without reading the others. The receiver is the evidence's; the database
 * copies it, so that the previous version, which does not know the column, leaves none out.
 */
export const findExceptions: Migration = {
  name: '20261122030000-find-exceptions-by-what-people-know',
  sql: `
alter table matches add column receiver_account_id uuid;
update matches m set receiver_account_id = e.receiver_account_id from evidence e
  where e.sms_event_id = m.sms_event_id and e.receiver_account_id is not null and m.status not in ('MATCHED', 'DUPLICATE');

-- Evidence is written before its match.
create function copy_receiver_of_match() returns trigger language plpgsql as $$
begin
  select e.receiver_account_id into new.receiver_account_id from evidence e where e.sms_event_id = new.sms_event_id;
  return new;
end $$;
create trigger matches_know_their_receiver before insert on matches for each row
  when (new.status not in ('MATCHED', 'DUPLICATE', 'UNPARSED')) execute function copy_receiver_of_match();
create trigger matches_know_their_new_receiver before update on matches for each row
  when (old.facts_sequence is distinct from new.facts_sequence) execute function copy_receiver_of_match();

create index matches_exceptions_of_reason on matches
  (merchant_id, environment, reason, exception_of(status, reason), created_at desc, id desc)
  where status not in ('MATCHED', 'DUPLICATE');
create index matches_exceptions_of_receiver on matches
  (merchant_id, environment, receiver_account_id, exception_of(status, reason), created_at desc, id desc)
  where receiver_account_id is not null and status not in ('MATCHED', 'DUPLICATE');
create index matches_exceptions_of_amount on matches
  (merchant_id, environment, received_amount, exception_of(status, reason), created_at desc, id desc)
  where received_amount is not null and status not in ('MATCHED', 'DUPLICATE');
`,
};
