/** Parameters for `unnest`. Example: `arraysOf(devices, 'id', 'isOff')` returns [all ids, all values of isOff]. */
export function arraysOf<Row extends object>(rows: readonly Row[], ...keys: readonly (keyof Row)[]): unknown[][] {
  return keys.map((key) => rows.map((row) => row[key]));
}
