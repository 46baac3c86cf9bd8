import type { Migration } from '@pay/persistence';

/**
 * A promoted database of sms-ingest counts again from a lower sequence in a later epoch. The triggers compare pairs as
 * `compareSequences` does: the epoch decides when both sides have one, otherwise the numbers alone.
 */
export const compareEpochsOfReparsedTexts: Migration = {
  name: '20261126143000-compare-epochs-of-re-parsed-texts',
  sql: `
create or replace function guard_match_move() returns trigger language plpgsql as $$
declare
  by_person constant boolean := new.decided_by like 'user:%';
  is_reparsed constant boolean := case
    when new.facts_epoch <> old.facts_epoch then new.facts_epoch > old.facts_epoch
    else new.facts_sequence > old.facts_sequence end;
begin
  if new.status in ('MANUALLY_RESOLVED', 'REJECTED') or old.status = 'REJECTED' then
    if by_person and (
      (new.status = 'MANUALLY_RESOLVED' and old.status in ('PENDING', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED'))
      or (new.status = 'REJECTED' and old.status in ('PENDING', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED', 'UNPARSED'))
      -- A person reopens excluded evidence.
      or (new.status = 'REVIEW_REQUIRED' and old.status = 'REJECTED'))
    then
      return new;
    end if;
  elsif (old.status = 'PENDING' and new.status in ('MATCHED', 'REVIEW_REQUIRED', 'EXPIRED'))
    or (old.status = 'REVIEW_REQUIRED' and new.status = 'MATCHED')
    or (old.status = 'EXPIRED' and new.status = 'REVIEW_REQUIRED')
    or (old.status = 'UNPARSED' and new.status in ('PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'FAILED', 'DUPLICATE'))
    or (is_reparsed and (
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

create or replace trigger matches_know_their_new_receiver before update on matches for each row
  when (old.facts_sequence is distinct from new.facts_sequence or old.facts_epoch is distinct from new.facts_epoch)
  execute function copy_receiver_of_match();
`,
};
