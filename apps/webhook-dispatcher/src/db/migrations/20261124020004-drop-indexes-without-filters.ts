import type { Migration } from '@pay/persistence';

/** The indexes of the two steps before answer the same; the previous version uses them, too. */
export const dropIndexesWithoutFilters: Migration = {
  name: '20261124020004-drop-indexes-without-filters',
  sql: `
do $$ begin
  -- Building an index concurrently can fail and leave it there.
  if exists (
    select from pg_index where not indisvalid
      and indexrelid in ('deliveries_listed_of_tenant'::regclass, 'deliveries_listed_of_endpoint'::regclass)
  ) then
    raise exception 'deliveries_listed_of_tenant or deliveries_listed_of_endpoint is invalid: run "reindex index concurrently" on it and migrate again';
  end if;
end $$;
drop index if exists deliveries_of_tenant, deliveries_of_endpoint;
`,
};
