import type { Migration } from '@pay/persistence';

/** A guarded update that missed a row fails in the database, so that nobody has to wait for its answer before COMMIT. */
export const countWhatChanged: Migration = {
  name: '20261121160000-let-the-database-count-what-changed',
  sql: `
create function refuse_unless_all_changed(kind text, changed bigint, expected bigint) returns void language plpgsql as $$
begin
  if changed <> expected then
    raise exception '% % changed under their decision', expected - changed, kind;
  end if;
end $$;
`,
};
