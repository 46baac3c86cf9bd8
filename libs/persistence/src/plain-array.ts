/** Values that need no quotes in a Postgres array literal: ids, keys, times, names of types. */
const PLAIN = /^[\w.:+-]+$/;
const NULL = /^null$/i;

/**
 * The literal of an array without characters to escape, which the driver would scan twice per element. Undefined for
 * other arrays, which the driver must serialize.
 */
export function plainArray(values: readonly unknown[]): string | undefined {
  let literal = '';
  for (const value of values) {
    if (literal !== '') literal += ',';
    if (typeof value === 'string') {
      if (!PLAIN.test(value) || (value.length === 4 && NULL.test(value))) return undefined;
      literal += value;
    } else if (typeof value === 'number') literal += value.toString();
    else if (value === null || value === undefined) literal += 'NULL';
    else return undefined;
  }
  return `{${literal}}`;
}
