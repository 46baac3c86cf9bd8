/**
 * Makes a guarded update of the rows with ids $1 fail unless all rows are unchanged; the database counts them, so no
 * round trip precedes COMMIT. Join values by `row.id = any(array[given.id])`, which forces a key look-up per row;
 * `row.id = given.id` may scan the table.
 */
export function changingAll(table: string, update: string): string {
  return `with changed as (${update} returning 1)
   select refuse_unless_all_changed('${table}', (select count(*) from changed), cardinality($1::uuid[]))`;
}
