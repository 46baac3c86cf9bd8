import type { PoolClient, QueryResult } from 'pg';
import { TransactionAborted } from './errors';
import type { Statement } from './statement';

export interface Queryable {
  /** The result rows. bigint and numeric are returned as text, timestamptz as Date. */
  query<Row extends object = Record<string, unknown>>(
    sql: Statement | string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
  /** For statements without result rows: returns the number of affected rows. */
  execute(sql: Statement | string, values?: readonly unknown[]): Promise<number>;
}

export interface Transaction extends Queryable {
  /**
   * Sends a statement without waiting for its result, in one round trip with the next statement or COMMIT. If it fails,
   * the transaction fails with its error; `read` receives its rows like an `onCommit` hook.
   */
  enqueue<Row extends object = Record<string, unknown>>(
    sql: Statement | string,
    values?: readonly unknown[],
    read?: (rows: Row[]) => void,
  ): void;
  /** Runs right after a successful COMMIT, in the order of registration; never after a rollback. */
  onCommit(hook: () => void): void;
}

export type Client = Pick<PoolClient, 'query' | 'end'>;

export async function send(
  client: Client,
  sql: Statement | string,
  values?: readonly unknown[],
): Promise<QueryResult<object>> {
  const query = typeof sql === 'string' ? { text: sql } : { name: sql.name, text: sql.text };
  return client.query(values === undefined ? query : { ...query, values: [...values] });
}

/**
 * The connection is a pipeline: statements are sent when they are started and run in that order, so independent
 * statements share a round trip.
 */
class OpenTransaction implements Transaction {
  readonly hooks: (() => void)[] = [];
  /**
   * Error of an enqueued statement, as the driver reported it, because its code is needed. Errors of other statements
   * reach their awaiting callers.
   */
  failure: Error | undefined;
  private open = true;

  constructor(private readonly client: Client) {}

  async query<Row extends object>(sql: Statement | string, values?: readonly unknown[]): Promise<Row[]> {
    return (await this.send(sql, values)).rows as Row[];
  }

  async execute(sql: Statement | string, values?: readonly unknown[]): Promise<number> {
    return (await this.send(sql, values)).rowCount ?? 0;
  }

  enqueue<Row extends object>(
    sql: Statement | string,
    values?: readonly unknown[],
    read?: (rows: Row[]) => void,
  ): void {
    let rows: Row[] = [];
    this.send(sql, values).then(
      (answer) => (rows = answer.rows as Row[]),
      (error: unknown) => {
        this.failure ??= error as Error;
      },
    );
    // Results arrive in the order of statements, so this one arrives before that of COMMIT.
    if (read) this.onCommit(() => read(rows));
  }

  onCommit(hook: () => void): void {
    this.hooks.push(hook);
  }

  /** A reference used after its transaction would write on a connection that belongs to other callers. */
  close(): void {
    this.open = false;
  }

  private send(sql: Statement | string, values?: readonly unknown[]): Promise<QueryResult<object>> {
    return this.open ? send(this.client, sql, values) : Promise.reject(new Error('the transaction is over'));
  }
}

/**
 * Runs BEGIN, work and COMMIT on one connection, and ROLLBACK if anything throws. If the connection is lost at COMMIT,
 * the outcome is unknown; if ROLLBACK fails, the connection is closed so that no other caller gets it.
 */
export async function runTransaction<T>(
  client: Client,
  work: (tx: Transaction) => Promise<T>,
  hookFailed: (error: unknown) => void,
): Promise<T> {
  const tx = new OpenTransaction(client);
  // Not awaited: it is sent together with the first statement.
  const begun = send(client, 'BEGIN ISOLATION LEVEL READ COMMITTED');
  let result: T;
  try {
    [, result] = await Promise.all([begun, work(tx)]);
    tx.close();
  } catch (error) {
    tx.close();
    await rollBack(client);
    // Later statements fail only because of the first failed one.
    throw tx.failure ?? error;
  }
  await commit(client, tx);
  for (const hook of tx.hooks) runHook(hook, hookFailed);
  return result;
}

/** The transaction is committed: a failing hook must not look like a failed transaction, nor prevent other hooks. */
function runHook(hook: () => void, hookFailed: (error: unknown) => void): void {
  try {
    hook();
  } catch (error) {
    hookFailed(error);
  }
}

async function commit(client: Client, tx: OpenTransaction): Promise<void> {
  let command: string;
  try {
    ({ command } = await send(client, 'COMMIT'));
  } catch (error) {
    await rollBack(client);
    throw tx.failure ?? error;
  }
  // Postgres responds to COMMIT of a failed transaction with ROLLBACK and no error.
  if (command !== 'COMMIT')
    throw tx.failure ?? new TransactionAborted('a statement of this transaction had failed; nothing was committed');
}

async function rollBack(client: Client): Promise<void> {
  try {
    await send(client, 'ROLLBACK');
  } catch {
    void client.end();
  }
}
