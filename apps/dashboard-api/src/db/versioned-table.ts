import { FIRST_ID, statement, type Queryable, type Statement, type Transaction } from '@pay/persistence';

export interface TableOptions<Rec, Query extends string> {
  readonly json?: readonly (keyof Rec & string)[];
  /** Named conditions of `select`. Callers have no other way to select by more than an id. */
  readonly queries: Readonly<Record<Query, string>>;
}

/**
 * Every change writes all columns. The version guard fails a change that is based on an older row, so that it cannot
 * overwrite a newer one.
 */
export class VersionedTable<
  Rec extends { readonly id: string; readonly version: number },
  Query extends string = never,
> {
  private readonly json: ReadonlySet<string>;
  private readonly queries: Readonly<Record<Query, string>>;
  private readonly selection: string;
  private readonly insertion: Statement;
  private readonly replacement: Statement;

  constructor(
    private readonly name: string,
    private readonly fields: readonly (keyof Rec & string)[],
    { json = [], queries }: TableOptions<Rec, Query>,
  ) {
    this.queries = queries;
    this.json = new Set(json);
    this.selection = `select ${fields.map((field) => `${columnOf(field)} as "${field}"`).join(', ')} from ${name}`;
    const places = fields.map((_, index) => `$${index + 1}`).join(', ');
    const names = fields.map(columnOf).join(', ');
    this.insertion = statement(`${name}-insert`, `insert into ${name} (${names}) values (${places})`);
    const [id, version] = [this.place('id'), this.place('version')];
    this.replacement = statement(
      `${name}-replace`,
      `update ${name} set (${names}) = row(${places}) where id = ${id} and version = ${version} - 1`,
    );
  }

  async insert(tx: Transaction, record: Rec): Promise<void> {
    await tx.execute(this.insertion, this.valuesOf(record));
  }

  /** The transaction must have locked the row. */
  async replace(tx: Transaction, record: Rec): Promise<void> {
    if ((await tx.execute(this.replacement, this.valuesOf(record))) !== 1) {
      throw new Error(`${this.name}: version ${record.version} does not follow the stored one`);
    }
  }

  /** Includes deleted rows. */
  async lock(tx: Transaction, id: string): Promise<Rec | undefined> {
    return (await this.rows(tx, 'id = $1 for update', [id]))[0];
  }

  /** Includes deleted rows. */
  async find(db: Queryable, id: string): Promise<Rec | undefined> {
    return (await this.rows(db, 'id = $1', [id]))[0];
  }

  async findBy(db: Queryable, query: Query, values: readonly unknown[]): Promise<Rec | undefined> {
    return (await this.listBy(db, query, values))[0];
  }

  async listBy(db: Queryable, query: Query, values: readonly unknown[]): Promise<Rec[]> {
    return this.rows(db, this.queries[query], values);
  }

  async countBy(db: Queryable, query: Query, values: readonly unknown[]): Promise<number> {
    return this.total(db, this.queries[query], values);
  }

  /** Without deleted rows, newest first. */
  async pageOf(
    db: Queryable,
    filter: Readonly<Record<string, unknown>>,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<{ readonly data: Rec[]; readonly total: number }> {
    // Only fields of the table, because their names become SQL.
    const given = this.fields.filter((field) => filter[field] !== undefined);
    const equal = given.map((field, index) => `${columnOf(field)} = $${index + 1}`);
    const condition = ['deleted_at is null', ...equal].join(' and ');
    const values = given.map((field) => filter[field]);
    const places = `limit $${given.length + 1} offset $${given.length + 2}`;
    const [total, data] = await Promise.all([
      this.total(db, condition, values),
      this.rows(db, `${condition} order by id desc ${places}`, [...values, limit, offset]),
    ]);
    return { total, data };
  }

  /** Ordered by id, with deleted rows. Starts at the beginning without `after`. */
  async page(db: Queryable, after: string | undefined, limit: number): Promise<Rec[]> {
    return this.rows(db, 'id > $1 order by id limit $2', [after ?? FIRST_ID, limit]);
  }

  private async rows(db: Queryable, condition: string, values: readonly unknown[]): Promise<Rec[]> {
    return db.query<Rec & object>(`${this.selection} where ${condition}`, values);
  }

  private async total(db: Queryable, condition: string, values: readonly unknown[]): Promise<number> {
    const sql = `select count(*)::integer as total from ${this.name} where ${condition}`;
    return (await db.query<{ total: number }>(sql, values))[0]?.total ?? 0;
  }

  private place(field: keyof Rec & string): string {
    return `$${this.fields.indexOf(field) + 1}`;
  }

  private valuesOf(record: Rec): unknown[] {
    return this.fields.map((field) => {
      const value = record[field];
      return this.json.has(field) && value !== null ? JSON.stringify(value) : value;
    });
  }
}

function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A type error that names the missing fields, because they would never be stored. */
type Complete<Missing> = [Missing] extends [never] ? unknown : Missing;

/** Two calls, because TypeScript cannot infer the names of the queries if a type argument is given. */
export function tableOf<Rec extends { readonly id: string; readonly version: number }>() {
  return <Field extends keyof Rec & string, Query extends string>(
    name: string,
    fields: readonly Field[] & Complete<Exclude<keyof Rec, Field>>,
    options: TableOptions<Rec, Query>,
  ) => new VersionedTable<Rec, Query>(name, fields, options);
}
