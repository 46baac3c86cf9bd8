import type { Page } from '@pay/contracts';
import { statement, type Queryable, type Transaction } from '@pay/persistence';

/**
 * Named queries as functions; `values` are the parameters in order. Names are unique within the service, because a
 * connection prepares each name once.
 */
const asTheyAre = (...values: readonly unknown[]) => values;

/** Answers how many rows were affected. */
export function command<Input extends readonly unknown[]>(
  name: string,
  sql: string,
  valuesOf: (...input: Input) => readonly unknown[] = asTheyAre,
) {
  const named = statement(name, sql);
  return (db: Queryable, ...input: Input): Promise<number> => db.execute(named, valuesOf(...input));
}

/** The same for what must commit with something else. */
export function txCommand<Input extends readonly unknown[]>(
  ...definition: Parameters<typeof command<Input>>
): (tx: Transaction, ...input: Input) => Promise<number> {
  return command(...definition);
}

export function rows<Row extends object, Input extends readonly unknown[]>(name: string, sql: string) {
  const named = statement(name, sql);
  return (db: Queryable, ...input: Input): Promise<Row[]> => db.query<Row>(named, input);
}

export function firstRow<Row extends object, Input extends readonly unknown[]>(name: string, sql: string) {
  const all = rows<Row, Input>(name, sql);
  return async (db: Queryable, ...input: Input): Promise<Row | undefined> => (await all(db, ...input))[0];
}

/** A row that stays locked until the end of the transaction. */
export function lockedRow<Row extends object, Input extends readonly unknown[]>(
  ...definition: Parameters<typeof firstRow>
): (tx: Transaction, ...input: Input) => Promise<Row | undefined> {
  return firstRow<Row, Input>(...definition);
}

/** How many rows a `select count(*)::integer as total` counts. */
export function count<Input extends readonly unknown[]>(name: string, sql: string) {
  const counted = firstRow<{ readonly total: number }, Input>(name, sql);
  return async (db: Queryable, ...input: Input): Promise<number> => (await counted(db, ...input))?.total ?? 0;
}

export interface Place {
  readonly page: number;
  readonly limit: number;
}

/** A page of rows, and how many there are in all. `from` is everything between the columns and `order by`. */
export function pageOfRows<Row extends object, Input extends readonly unknown[]>(
  name: string,
  { columns, from, order }: { readonly columns: string; readonly from: string; readonly order: string },
) {
  const total = count<Input>(`${name}-count`, `select count(*)::integer as total ${from}`);
  return async (db: Queryable, { page, limit }: Place, ...input: Input): Promise<Page<Row>> => {
    const places = `limit $${input.length + 1} offset $${input.length + 2}`;
    const select = statement(`${name}-page`, `select ${columns} ${from} order by ${order} ${places}`);
    const [data, all] = await Promise.all([
      db.query<Row>(select, [...input, limit, (page - 1) * limit]),
      total(db, ...input),
    ]);
    return { data, total: all, page, limit };
  };
}
