import type { Environment, Tenant } from '@pay/contracts';

/** A row as read: null for undefined, amounts as text, the tenant as two values. */
export type RowOf<Fact> = {
  readonly [Name in keyof Fact as Name extends 'tenant' ? never : Name]-?:
    | (NonNullable<Fact[Name]> extends bigint ? string : NonNullable<Fact[Name]>)
    | (undefined extends Fact[Name] ? null : never);
} & { readonly merchantId: string; readonly environment: Environment };

/**
 * SQL parts for a table of facts: they read rows under the field names and write rows given as JSON. A column is the
 * field name in snake case unless `renamed` contains it.
 */
export function columnsOf<Fact extends object>(
  types: Readonly<Record<Exclude<keyof Fact, 'tenant'> & string, string>>,
  renamed: Readonly<Record<string, string>> = {},
) {
  const fields = Object.keys(types);
  const all: Readonly<Record<string, string>> = { merchantId: 'uuid', environment: 'text', ...types };
  const columns = Object.keys(all).map((field) => ({
    field,
    column: renamed[field] ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  }));
  const amounts = new Set(fields.filter((field) => all[field] === 'bigint'));
  const names = columns.map(({ column }) => column).join(', ');
  const given = columns.map(({ field }) => `"${field}"`).join(', ');
  const typed = columns.map(({ field }) => `"${field}" ${all[field]}`).join(', ');

  /** The values to write, for JSON. */
  function toJson(fact: Fact & { readonly tenant: Tenant }): Record<string, unknown> {
    const row: Record<string, unknown> = { ...fact.tenant };
    for (const field of fields) {
      const value = fact[field as keyof Fact];
      row[field] = typeof value === 'bigint' ? value.toString() : value;
    }
    return row;
  }

  function toFact(row: RowOf<Fact>): Fact & { readonly tenant: Tenant } {
    const fact: Record<string, unknown> = { tenant: { merchantId: row.merchantId, environment: row.environment } };
    for (const field of fields) {
      const value = row[field as keyof RowOf<Fact>] as unknown;
      fact[field] = value === null ? undefined : amounts.has(field) ? BigInt(value as string) : value;
    }
    return fact as Fact & { readonly tenant: Tenant };
  }

  return {
    /** "id" uuid, "amount" bigint */
    typed,
    /** m.id as "id", m.amount as "amount"; without the tenant on request. */
    selectedFrom: (alias: string, { withTenant = true } = {}) =>
      columns
        .filter(({ field }) => withTenant || fields.includes(field))
        .map(({ field, column }) => `${alias}.${column} as "${field}"`)
        .join(', '),
    /** amount = given."amount", for all columns except these and the tenant. */
    setAllBut: (...fixed: readonly (keyof Fact)[]) =>
      columns
        .filter(({ field }) => fields.includes(field) && !fixed.includes(field as keyof Fact))
        .map(({ field, column }) => `${column} = given."${field}"`)
        .join(', '),
    /** Inserts the rows of $1. */
    insertInto: (table: string, json: 'json' | 'jsonb' = 'jsonb') =>
      `insert into ${table} (${names}) select ${given} from ${json}_to_recordset($1::${json}) as given (${typed})`,
    toJson,
    toFact,
  };
}
