import type { Database, Queryable, Statement } from '@pay/persistence';

export interface Recorded {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A database that remembers every statement that goes through it, with the values of its first run. */
export function recorder() {
  const seen = new Map<string, Recorded>();
  const note = (sql: Statement | string, values: readonly unknown[] = []) => {
    const text = typeof sql === 'string' ? sql : sql.text;
    if (!seen.has(text)) seen.set(text, { text, values });
  };

  function noting(queryable: Queryable): Queryable {
    return {
      query: (sql, values) => (note(sql, values), queryable.query(sql, values)),
      execute: (sql, values) => (note(sql, values), queryable.execute(sql, values)),
    };
  }

  return {
    statements: (): Recorded[] => [...seen.values()],
    watch: (db: Database): Database => ({
      ...noting(db),
      transaction: (work) =>
        db.transaction((tx) =>
          work({
            ...noting(tx),
            enqueue: (sql, values, read) => {
              note(sql, values);
              tx.enqueue(sql, values, read);
            },
            onCommit: (hook) => tx.onCommit(hook),
          }),
        ),
      ping: () => db.ping(),
      close: () => db.close(),
      dataSource: db.dataSource,
    }),
  };
}
