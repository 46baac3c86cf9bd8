const NOT_BEFORE = Date.UTC(1970, 0);
const BEFORE = Date.UTC(2100, 0);

/** The years that Postgres, Date and people agree on. What is no time at all is left to the schema that reads it. */
export function isStorableTime(text: string): boolean {
  const time = Date.parse(text);
  return !(time < NOT_BEFORE || time >= BEFORE);
}
