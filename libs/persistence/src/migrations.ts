import type { Migration } from './migration';

/** Must come after the migrations that create the tables. */
export const gatherFewStatistics: Migration = {
  name: '20261127190400-gather-few-statistics',
  replaces: '20261123235500-gather-few-statistics',
  sql: `
-- Rows are found through indexes regardless of statistics (planner-settings.ts), and with the default target ANALYZE reads
-- 30,000 rows, JSON and texts included, at every tenth of a table's growth: 3 to 5 % of the processor time under full load.
-- Columns and index expressions that have a target keep it.
do $$
declare col record;
begin
  for col in
    select c.oid::regclass as name, a.attname, i.indexrelid, a.attnum
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_index i on i.indexrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relowner = current_user::regrole
       and (c.relkind in ('r', 'p') or i.indkey[a.attnum - 1] = 0) and coalesce(a.attstattarget, -1) < 0
     order by c.oid, a.attnum
  loop
    if col.indexrelid is null then
      execute format('alter table %s alter column %I set statistics 10', col.name, col.attname);
    else
      execute format('alter index %s alter column %s set statistics 10', col.name, col.attnum);
    end if;
  end loop;
end $$;
`,
};
