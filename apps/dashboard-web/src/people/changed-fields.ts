export interface ChangedField {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * The fields of a record that a change has given another value, in the order of their names. A missing field is
 * undefined.
 */
export function changedFields(
  before: Readonly<Record<string, unknown>> | null,
  after: Readonly<Record<string, unknown>> | null,
): ChangedField[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort();
  return names
    .map((name) => ({ name, before: before?.[name], after: after?.[name] }))
    .filter((field) => JSON.stringify(field.before) !== JSON.stringify(field.after));
}
