import type { Migration } from '@pay/persistence';

export const endSessionsWhenASecondFactorBegins: Migration = {
  name: '20261122183000-end-sessions-when-a-second-factor-begins',
  sql: `
alter table sessions drop constraint sessions_ended_because_check;
alter table sessions add constraint sessions_ended_because_check check (
  ended_because in ('logout', 'password_changed', 'reuse_detected', 'access_withdrawn', 'two_factor_enabled')
);
`,
};
