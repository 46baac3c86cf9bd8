import type { Migration } from '@pay/persistence';

/** A person who reopens a text without an intent returns it to PENDING, EXPIRED or FAILED. */
export const reopenMatchesAsTheyWere: Migration = {
  name: '20261127230500-reopen-matches-as-they-were',
  sql: `
create or replace function guard_match_move() returns trigger language plpgsql as $$
declare
  by_person constant boolean := new.decided_by like 'user:%';
  is_reparsed constant boolean := case
    when new.facts_epoch <> old.facts_epoch then new.facts_epoch > old.facts_epoch
    else new.facts_sequence > old.facts_sequence end;
  needs_person constant boolean := old.doubts ?| array['contradicting_texts', 'other_intent_rejected'];
begin
  if new.status in ('MANUALLY_RESOLVED', 'REJECTED') or old.status = 'REJECTED' then
    if by_person and (
      (new.status = 'MANUALLY_RESOLVED' and old.status in ('PENDING', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED'))
      or (new.status = 'REJECTED' and old.status in ('PENDING', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED', 'UNPARSED'))
      -- A person reopens excluded evidence: it is what it was before.
      or (new.status in ('PENDING', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED') and old.status = 'REJECTED'))
      -- A claim of another intent leads to evidence that was closed by rejecting an intent.
      or (not by_person and new.status = 'REVIEW_REQUIRED' and old.reason = 'rejected_by_person')
    then
      return new;
    end if;
  elsif new.status = 'MATCHED' and needs_person then
    null;
  elsif (old.status = 'PENDING' and new.status in ('MATCHED', 'REVIEW_REQUIRED', 'EXPIRED', 'DUPLICATE'))
    or (old.status = 'REVIEW_REQUIRED' and new.status in ('MATCHED', 'DUPLICATE'))
    or (old.status = 'EXPIRED' and new.status in ('REVIEW_REQUIRED', 'DUPLICATE'))
    or (old.status = 'UNPARSED' and new.status in ('PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'FAILED', 'DUPLICATE'))
    or (is_reparsed and (
      (old.status = 'PENDING' and new.status = 'FAILED')
      or (old.status = 'REVIEW_REQUIRED' and new.status in ('PENDING', 'EXPIRED', 'FAILED'))
      or (old.status = 'EXPIRED' and new.status = 'FAILED')
      or (old.status = 'FAILED' and new.status in ('PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'EXPIRED', 'DUPLICATE'))
      or (old.status = 'DUPLICATE' and new.status in ('PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'EXPIRED', 'FAILED'))))
  then
    return new;
  end if;
  raise exception 'match % cannot go from % to % by %', old.id, old.status, new.status, new.decided_by
    using errcode = 'check_violation', constraint = 'matches_legal_moves';
end $$;
`,
};
