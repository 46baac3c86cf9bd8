import { statement, type Queryable, type Statement, type Transaction } from '@pay/persistence';

/**
 * Reading and writing the rows of one versioned table as records. Every column is written by every change; the version guard makes a
 * change that was decided on an older row fail instead of undoing a newer one.
 */
export class VersionedTable<Rec extends { readonly id: string; readonly version: number }> {
  private readonly fields: readonly (keyof Rec & string)[];
  private readonly json: ReadonlySet<string>;
  private readonly selection: string;
  private readonly insertion: Statement;
  private readonly replacement: Statement;

  constructor(
    private readonly name: string,
    columns: Readonly<Record<keyof Rec & string, string>>,
    jsonFields: readonly (keyof Rec & string)[] = [],
  ) {
    this.fields = Object.keys(columns) as (keyof Rec & string)[];
    this.json = new Set(jsonFields);
    this.selection = `select ${this.fields.map((field) => `${columns[field]} as "${field}"`).join(', ')} from ${name}`;
    const places = this.fields.map((_, index) => `$${index + 1}`).join(', ');
    const names = this.fields.map((field) => columns[field]).join(', ');
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

  /** Writes the next version of a row that this transaction has locked. */
  async replace(tx: Transaction, record: Rec): Promise<void> {
    if ((await tx.execute(this.replacement, this.valuesOf(record))) !== 1) {
      throw new Error(`${this.name}: version ${record.version} does not follow the stored one`);
    }
  }

  /** Deleted rows too: whoever decides must look. */
  async lock(tx: Transaction, id: string): Promise<Rec | undefined> {
    return this.find(tx, 'id = $1 for update', [id]);
  }

  /** `condition` is text of this service's own code, never input. */
  async find(db: Queryable, condition: string, values: readonly unknown[]): Promise<Rec | undefined> {
    return (await this.list(db, condition, values))[0];
  }

  async list(db: Queryable, condition: string, values: readonly unknown[]): Promise<Rec[]> {
    return db.query<Rec & object>(`${this.selection} where ${condition}`, values);
  }

  async count(db: Queryable, condition: string, values: readonly unknown[]): Promise<number> {
    const sql = `select count(*)::integer as total from ${this.name} where ${condition}`;
    return (await db.query<{ total: number }>(sql, values))[0]?.total ?? 0;
  }

  /** Rows in the order of their ids, deleted ones included; undefined `after` begins. */
  async page(db: Queryable, after: string | undefined, limit: number): Promise<Rec[]> {
    const begin = '00000000-0000-0000-0000-000000000000';
    return this.list(db, 'id > $1 order by id limit $2', [after ?? begin, limit]);
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
