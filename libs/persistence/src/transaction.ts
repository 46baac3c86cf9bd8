import type { PoolClient, QueryResult } from 'pg';
import { TransactionAborted } from './errors';
import { plainArray } from './plain-array';
import type { Statement } from './statement';

export interface Queryable {
  /** Rows of the answer. bigint and numeric come back as text, timestamptz as Date. */
  query<Row extends object = Record<string, unknown>>(
    sql: Statement | string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
  /** For statements without rows: how many rows were affected. */
  execute(sql: Statement | string, values?: readonly unknown[]): Promise<number>;
}

export interface Transaction extends Queryable {
  /**
   * Sends a statement whose answer nobody needs before the end, without waiting for it: it travels with whatever
   * follows, COMMIT included. When it fails, the transaction fails with its error. `read` is given its rows like a hook
   * of `onCommit`.
   */
  enqueue<Row extends object = Record<string, unknown>>(
    sql: Statement | string,
    values?: readonly unknown[],
    read?: (rows: Row[]) => void,
  ): void;
  /** Runs right after COMMIT has been acknowledged, in the order of registration; never after a rollback. */
  onCommit(hook: () => void): void;
}

type Client = Pick<PoolClient, 'query' | 'end'>;

export async function send(
  client: Client,
  sql: Statement | string,
  values?: readonly unknown[],
): Promise<QueryResult<object>> {
  const query = typeof sql === 'string' ? { text: sql } : { name: sql.name, text: sql.text };
  return client.query(values === undefined ? query : { ...query, values: values.map(written) });
}

function written(value: unknown): unknown {
  return Array.isArray(value) ? (plainArray(value) ?? value) : value;
}

/**
 * The connection is a pipeline: statements go out as they are started and the server works through them in that order,
 * so those that do not wait for each other's answers share a round trip.
 */
class OpenTransaction implements Transaction {
  readonly hooks: (() => void)[] = [];
  /**
   * Of a statement that was enqueued; the others are seen by whoever awaits them. As the driver gave it: its code tells
   * what it means.
   */
  failure: Error | undefined;
  private open = true;

  constructor(private readonly client: Client) {}

  async query<Row extends object>(sql: Statement | string, values?: readonly unknown[]): Promise<Row[]> {
    // The row type is named by the caller, who knows the statement.
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
    // Answers come in the order of the statements: by the time of COMMIT's this one is there.
    if (read) this.onCommit(() => read(rows));
  }

  onCommit(hook: () => void): void {
    this.hooks.push(hook);
  }

  /** A reference that outlives its transaction would write outside of it, on a connection that others use by then. */
  close(): void {
    this.open = false;
  }

  private send(sql: Statement | string, values?: readonly unknown[]): Promise<QueryResult<object>> {
    return this.open ? send(this.client, sql, values) : Promise.reject(new Error('the transaction is over'));
  }
}

/**
 * BEGIN, work, COMMIT on one connection. When anything throws, ROLLBACK. When the connection is lost while committing,
 * the outcome is unknown and this throws what the driver said; when even ROLLBACK fails, the connection is ended so
 * that nobody gets it again.
 */
export async function runTransaction<T>(
  client: Client,
  work: (tx: Transaction) => Promise<T>,
  hookFailed: (error: unknown) => void,
): Promise<T> {
  const tx = new OpenTransaction(client);
  // Not awaited here: it travels with the first statement.
  const begun = send(client, 'BEGIN ISOLATION LEVEL READ COMMITTED');
  let result: T;
  try {
    [, result] = await Promise.all([begun, work(tx)]);
    tx.close();
  } catch (error) {
    tx.close();
    await rollBack(client);
    // What follows a failed statement fails only because of it.
    throw tx.failure ?? error;
  }
  await commit(client, tx);
  for (const hook of tx.hooks) runHook(hook, hookFailed);
  return result;
}

/**
 * What is committed is committed: a hook that fails must not look like a transaction that failed, nor keep others from
 * running.
 */
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
  // Postgres answers COMMIT of a failed transaction with ROLLBACK and no error.
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
