/** One array per property, for `unnest`: `arraysOf(devices, 'id', 'isOff')` is [all ids, all values of isOff]. */
export function arraysOf<Row extends object>(rows: readonly Row[], ...keys: readonly (keyof Row)[]): unknown[][] {
  return keys.map((key) => rows.map((row) => row[key]));
}
