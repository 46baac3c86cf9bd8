import type { Migration } from '@pay/persistence';

export const noteWhereSessionsBegan: Migration = {
  name: '20261123140000-note-where-sessions-began',
  sql: `
alter table sessions add column address text;
alter table sessions add column user_agent text check (length(user_agent) <= 300);
alter table sessions drop constraint sessions_ended_because_check;
alter table sessions add constraint sessions_ended_because_check check (
  ended_because in (
    'logout', 'ended_elsewhere', 'password_changed', 'reuse_detected', 'access_withdrawn', 'two_factor_enabled'
  )
);
`,
};
