import type { Migration } from '@pay/persistence';

export const keepMailsUntilTheyAreSent: Migration = {
  name: '20261122183300-keep-mails-until-they-are-sent',
  sql: `
-- sealed: receiver, subject and text, AES-256-GCM, <key id>:<base64>. A row goes when its mail was sent, or is given up.
create table mails (
  id uuid primary key,
  sealed text not null check (sealed ~ '^[A-Za-z0-9_]{1,20}:[A-Za-z0-9+/=]+$'),
  attempts integer not null default 0,
  created_at timestamptz not null,
  due_at timestamptz not null
);
create index mails_by_due_time on mails (due_at);

-- A merchant sends so many invitations a day.
create index invitations_by_time on invitations (merchant_id, created_at);
`,
};
