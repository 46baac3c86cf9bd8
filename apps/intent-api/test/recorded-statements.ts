import type { Database, Queryable, Statement } from '@pay/persistence';

export interface Recorded {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A database that records every statement with the values of its first run, and the names of all runs. */
export function recorder() {
  const seen = new Map<string, Recorded>();
  const runs: string[] = [];
  const note = (sql: Statement | string, values: readonly unknown[] = []) => {
    const text = typeof sql === 'string' ? sql : sql.text;
    // The service may publish other events at any time during a request.
    if (typeof sql !== 'string')
      runs.push(sql.name === 'outbox-insert' ? `${sql.name} ${String(values[3])}` : sql.name);
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
    names: (): string[] => [...runs],
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
