/** What an array literal of Postgres holds without quotes: ids, keys, times, names of types. */
const PLAIN = /^[\w.:+-]+$/;
const NULL = /^null$/i;

/**
 * The literal of an array that needs no escapes, which the driver would look for in every element, twice; undefined for
 * any other, which is the driver's to write.
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
