import type { Migration } from '@pay/persistence';

/**
 * Facts and signals of a text may be replaced by newer ones. `revision` counts it on both sides: a match that was waited for and the
 * evidence read beside it tell by it whether they belong together.
 */
export const keepDoubts: Migration = {
  name: '20261121200000-keep-what-evidence-is-doubted-for',
  sql: `
alter table intents add column expected_sender_msisdn text;

alter table evidence
  add column payer_msisdn text,
  add column signals jsonb not null default '[]',
  add column signals_sequence integer not null default 1,
  add column revision integer not null default 1;

alter table matches
  add column doubts jsonb not null default '[]',
  -- Which reading of the text was judged, by sms-ingest's sequence.
  add column facts_sequence integer not null default 1,
  add column revision integer not null default 1;

-- Signals of texts that are no evidence yet.
create table early_signals (
  sms_event_id uuid primary key,
  signals jsonb not null,
  sequence integer not null check (sequence > 0),
  stored_at timestamptz not null default now()
);
create index early_signals_since on early_signals (stored_at);

-- A TrxID is claimed for an intent once at a time by its customer and once by its merchant.
create unique index claims_one_live_per_intent on claims (payment_intent_id, trx_id, source) where state = 'OPEN';

create or replace function guard_match_move() returns trigger language plpgsql as $$
begin
  if (old.status = 'PENDING' and new.status in ('MATCHED', 'REVIEW_REQUIRED', 'EXPIRED', 'MANUALLY_RESOLVED', 'REJECTED'))
    or (old.status = 'REVIEW_REQUIRED' and new.status in ('MATCHED', 'MANUALLY_RESOLVED', 'REJECTED'))
    or (old.status = 'EXPIRED' and new.status in ('REVIEW_REQUIRED', 'MANUALLY_RESOLVED', 'REJECTED'))
    or (old.status = 'UNPARSED' and new.status in ('PENDING', 'MATCHED', 'REVIEW_REQUIRED', 'FAILED', 'DUPLICATE'))
    or (old.status = 'FAILED' and new.status in ('MANUALLY_RESOLVED', 'REJECTED'))
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
  raise exception 'match % cannot go from % to %', old.id, old.status, new.status
    using errcode = 'check_violation', constraint = 'matches_legal_moves';
end $$;
`,
};
