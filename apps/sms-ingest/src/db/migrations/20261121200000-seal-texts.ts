import type { Migration } from '@pay/persistence';

export const sealTexts: Migration = {
  name: '20261121200000-seal-texts',
  sql: `
-- Sender and message as they came, under a key that the database does not know; null when retention has deleted them. \`message\` is what
-- processes of the version before write, until it is sealed too; \`sender\` is as others may see it.
alter table sms_events alter column message drop not null;
alter table sms_events add column sealed_text text;
create index sms_events_plain on sms_events (id) where message is not null;

-- The highest sequence of an announcement about this SMS. Whoever announces more counts it up in the same transaction.
alter table sms_events add column announced_sequence integer not null default 1;

-- What a newer parser may read.
create index sms_events_unparsed on sms_events (merchant_id, environment, id) where status = 'UNPARSED';

-- A plain hash of a short text can be guessed. Rows of the version before are keyed by a worker, or when they are met.
alter table sms_fingerprints add column is_keyed boolean not null default false;
create index sms_fingerprints_plain on sms_fingerprints (fingerprint) where not is_keyed;

-- Keys that texts are sealed with, each with a text to try it on.
create table sms_text_keys (
  key_id text primary key,
  proof text not null,
  used_at timestamptz not null
);

-- The key of the fingerprints, sealed: it must stay the same for ever, whichever key of the configuration is the first.
create table sms_secrets (
  name text primary key,
  sealed text not null
);

-- How far texts have been deleted. Ids are in the order of arrival.
create table sms_text_deletions (
  scope text primary key check (scope in ('UNDERSTOOD', 'UNPARSED')),
  done_until uuid not null
);
`,
};
