/**
 * Wraps a guarded update of the rows whose ids are $1, so that it fails when not all of them are as they were: then a
 * lock was missing, and nothing may be written. The database counts the rows, so that the transaction does not wait for
 * the result before COMMIT.
 *
 * Join what is given by `row.id = any(array[given.id])`: each row is looked up by its key, and the planner has no other
 * choice. By `row.id = given.id` it may read the whole table, with `row.id = any($1)` beside it compares every row with
 * everything that is given.
 */
export function changingAll(table: string, update: string): string {
  return `with changed as (${update} returning 1)
   select refuse_unless_all_changed('${table}', (select count(*) from changed), cardinality($1::uuid[]))`;
}
