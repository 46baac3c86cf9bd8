import type { Database } from './database';
import { statement } from './statement';

/** Maximum number of changes per statement. Totals that are read include the remaining changes. */
const MOST_CHANGES = 10_000;

export interface CountedTable {
  readonly counts: string;
  /** Table of changes that a trigger fills: the key columns and the difference. */
  readonly changes: string;
  readonly key: readonly string[];
  readonly sums: readonly string[];
}

/**
 * Adds changes to the counts of their keys and deletes them, so that totals read few rows. Counts are written in a
 * fixed order, so that two replicas cannot deadlock, and changes that another replica has locked are skipped.
 */
export function addUpChanges({
  counts,
  changes,
  key,
  sums,
}: CountedTable): (db: Pick<Database, 'query'>) => Promise<void> {
  const columns = key.join(', ');
  const addUp = statement(
    `add-up ${counts}`,
    `with batch as materialized (
       select ctid as place from ${changes} limit ${MOST_CHANGES} for update skip locked
     ), taken as (
       delete from ${changes} where ctid = any(array(select place from batch)) returning ${columns}, ${sums.join(', ')}
     ), counted as (
       insert into ${counts} as count (${columns}, ${sums.join(', ')})
       select ${columns}, ${sums.map((sum) => `sum(${sum})`).join(', ')} from taken group by ${columns} order by ${columns}
       on conflict (${columns}) do update set ${sums.map((sum) => `${sum} = count.${sum} + excluded.${sum}`).join(', ')}
     )
     select count(*)::int as taken from taken`,
  );
  return async (db) => {
    let taken = MOST_CHANGES;
    while (taken >= MOST_CHANGES) taken = (await db.query<{ taken: number }>(addUp))[0]?.taken ?? 0;
  };
}
