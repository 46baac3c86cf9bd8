import { statement } from './statement';
import type { Queryable, Transaction } from './transaction';

/** `values` maps the input to the parameters $1, $2, …. Default: the input itself. */
type Definition<Input extends readonly unknown[]> = [
  name: string,
  sql: string,
  valuesOf?: (...input: Input) => readonly unknown[],
];

type Reader = Pick<Queryable, 'query'>;

const inOrder = (...input: readonly unknown[]) => input;

/** A named statement as a function `(db, ...input)` that returns its rows. */
export function rows<Row extends object, Input extends readonly unknown[] = []>(
  ...[name, sql, valuesOf = inOrder]: Definition<Input>
) {
  const named = statement(name, sql);
  return (db: Reader, ...input: Input): Promise<Row[]> => db.query<Row>(named, valuesOf(...input));
}

/** The same for a statement of which only the first row counts; undefined if it returns none. */
export function firstRow<Row extends object, Input extends readonly unknown[] = []>(...definition: Definition<Input>) {
  const all = rows<Row, Input>(...definition);
  return async (db: Reader, ...input: Input): Promise<Row | undefined> => (await all(db, ...input))[0];
}

/** The same for a statement that always returns one row, such as an aggregate; throws if it returns none. */
export function onlyRow<Row extends object, Input extends readonly unknown[] = []>(...definition: Definition<Input>) {
  const first = firstRow<Row, Input>(...definition);
  return async (db: Reader, ...input: Input): Promise<Row> => {
    const row = await first(db, ...input);
    if (row === undefined) throw new Error(`invariant: ${definition[0]} returns one row`);
    return row;
  };
}

/** The same for a `select count(*)::integer as total`: returns the total. */
export function count<Input extends readonly unknown[] = []>(...definition: Definition<Input>) {
  const counted = firstRow<{ readonly total: number }, Input>(...definition);
  return async (db: Reader, ...input: Input): Promise<number> => (await counted(db, ...input))?.total ?? 0;
}

/** The same for a statement without result rows: returns how many rows were affected. */
export function command<Input extends readonly unknown[] = []>(...[name, sql, valuesOf = inOrder]: Definition<Input>) {
  const named = statement(name, sql);
  return (db: Pick<Queryable, 'execute'>, ...input: Input): Promise<number> => db.execute(named, valuesOf(...input));
}

/** The same for a statement that is sent with the next one, or with COMMIT; if it fails, the transaction fails. */
export function enqueued<Input extends readonly unknown[] = []>(...[name, sql, valuesOf = inOrder]: Definition<Input>) {
  const named = statement(name, sql);
  return (tx: Transaction, ...input: Input): void => {
    tx.enqueue(named, valuesOf(...input));
  };
}

/** The same for the rows of a list, which `values` maps to parameters; sends nothing if the list is empty. */
export function enqueuedRows<Row, Input extends readonly unknown[] = []>(
  name: string,
  sql: string,
  valuesOf: (rows: readonly Row[], ...input: Input) => readonly unknown[],
) {
  const named = statement(name, sql);
  return (tx: Transaction, rows: readonly Row[], ...input: Input): void => {
    if (rows.length > 0) tx.enqueue(named, valuesOf(rows, ...input));
  };
}

/** `rows`, `firstRow` and `onlyRow` that turn each row into a value: `mapped(toIntent).rows(…)`. */
export function mapped<Row extends object, Value>(toValue: (row: Row) => Value) {
  return {
    rows<Input extends readonly unknown[] = []>(...definition: Definition<Input>) {
      const all = rows<Row, Input>(...definition);
      return async (db: Reader, ...input: Input): Promise<Value[]> =>
        (await all(db, ...input)).map((row) => toValue(row));
    },
    firstRow<Input extends readonly unknown[] = []>(...definition: Definition<Input>) {
      const first = firstRow<Row, Input>(...definition);
      return async (db: Reader, ...input: Input): Promise<Value | undefined> => {
        const row = await first(db, ...input);
        return row && toValue(row);
      };
    },
    onlyRow<Input extends readonly unknown[] = []>(...definition: Definition<Input>) {
      const only = onlyRow<Row, Input>(...definition);
      return async (db: Reader, ...input: Input): Promise<Value> => toValue(await only(db, ...input));
    },
  };
}

interface TransactionQueries {
  rows<Row extends object, Input extends readonly unknown[] = []>(
    ...definition: Definition<Input>
  ): (tx: Transaction, ...input: Input) => Promise<Row[]>;
  firstRow<Row extends object, Input extends readonly unknown[] = []>(
    ...definition: Definition<Input>
  ): (tx: Transaction, ...input: Input) => Promise<Row | undefined>;
  onlyRow<Row extends object, Input extends readonly unknown[] = []>(
    ...definition: Definition<Input>
  ): (tx: Transaction, ...input: Input) => Promise<Row>;
  command<Input extends readonly unknown[] = []>(
    ...definition: Definition<Input>
  ): (tx: Transaction, ...input: Input) => Promise<number>;
  mapped<Row extends object, Value>(
    toValue: (row: Row) => Value,
  ): {
    rows<Input extends readonly unknown[] = []>(
      ...definition: Definition<Input>
    ): (tx: Transaction, ...input: Input) => Promise<Value[]>;
    firstRow<Input extends readonly unknown[] = []>(
      ...definition: Definition<Input>
    ): (tx: Transaction, ...input: Input) => Promise<Value | undefined>;
    onlyRow<Input extends readonly unknown[] = []>(
      ...definition: Definition<Input>
    ): (tx: Transaction, ...input: Input) => Promise<Value>;
  };
}

/** The same functions for a lock, and for a write that must commit with another one: a database is a type error. */
export const inTransaction: TransactionQueries = { rows, firstRow, onlyRow, command, mapped };

export interface Place {
  readonly page: number;
  readonly limit: number;
}

interface PageOfRows<Row> extends Place {
  readonly data: readonly Row[];
  readonly total: number;
}

/** `from` is the part of the statement between the columns and `order by`. */
export function pageOfRows<Row extends object, Input extends readonly unknown[] = []>(
  name: string,
  { columns, from, order }: { readonly columns: string; readonly from: string; readonly order: string },
) {
  const total = count<Input>(`${name}-count`, `select count(*)::integer as total ${from}`);
  return async (db: Reader, { page, limit }: Place, ...input: Input): Promise<PageOfRows<Row>> => {
    const places = `limit $${input.length + 1} offset $${input.length + 2}`;
    const select = statement(`${name}-page`, `select ${columns} ${from} order by ${order} ${places}`);
    const [data, all] = await Promise.all([
      db.query<Row>(select, [...input, limit, (page - 1) * limit]),
      total(db, ...input),
    ]);
    return { data, total: all, page, limit };
  };
}
