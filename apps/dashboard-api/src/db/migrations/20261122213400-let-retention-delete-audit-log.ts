import type { Migration } from '@pay/persistence';

/** The audit log may be deleted from, by age alone: 390 days are less than the shortest retention that can be set. */
export const letRetentionDeleteAuditLog: Migration = {
  name: '20261122213400-let-retention-delete-audit-log',
  sql: `
create or replace function refuse_change_of_history() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.at < now() - interval '390 days' then
      return old;
    end if;
  end if;
  raise exception 'the audit log is only added to' using errcode = 'check_violation';
end;
$$;
`,
};
