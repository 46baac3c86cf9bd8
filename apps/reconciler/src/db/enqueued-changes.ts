import { enqueuedRows } from '@pay/persistence';

/**
 * A guarded update that fails unless all given rows are unchanged; the database counts them, so no round trip precedes
 * COMMIT. Join the rows, `$2` as JSON, by `row.id = any(array[given.id])`, which forces a key look-up per row;
 * `row.id = given.id` may scan the table.
 */
export function enqueuedChanges<Change>(
  name: string,
  table: string,
  update: string,
  idOf: (change: Change) => string,
  rowOf: (change: Change) => object,
) {
  return enqueuedRows(
    name,
    `with changed as (${update} returning 1)
   select refuse_unless_all_changed('${table}', (select count(*) from changed), cardinality($1::uuid[]))`,
    (changes: readonly Change[]) => [changes.map(idOf), JSON.stringify(changes.map(rowOf))],
  );
}
