import type { PoolClient, QueryResult } from 'pg';
import { TransactionAborted } from './errors';
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
  return client.query(values === undefined ? query : { ...query, values: [...values] });
}

class OpenTransaction implements Transaction {
  readonly hooks: (() => void)[] = [];
  private open = true;
  private turn: Promise<unknown> = Promise.resolve();
  private pending = 0;

  constructor(private readonly client: Client) {}

  async query<Row extends object>(sql: Statement | string, values?: readonly unknown[]): Promise<Row[]> {
    // The row type is named by the caller, who knows the statement.
    return (await this.inTurn(sql, values)).rows as Row[];
  }

  async execute(sql: Statement | string, values?: readonly unknown[]): Promise<number> {
    return (await this.inTurn(sql, values)).rowCount ?? 0;
  }

  onCommit(hook: () => void): void {
    this.hooks.push(hook);
  }

  /** A reference that outlives its transaction would write outside of it, on a connection that others use by then. */
  close(): void {
    this.open = false;
  }

  /** Waits for statements that were started and not awaited: COMMIT must not overtake them. */
  async settle(): Promise<void> {
    while (this.pending > 0) await this.turn;
  }

  /** One statement at a time on a connection, also when the caller starts several at once. */
  private async inTurn(sql: Statement | string, values?: readonly unknown[]): Promise<QueryResult<object>> {
    if (!this.open) throw new Error('the transaction is over');
    const idle = this.pending === 0;
    this.pending += 1;
    const result = idle ? send(this.client, sql, values) : this.turn.then(() => send(this.client, sql, values));
    this.turn = result.then(ignore, ignore).then(() => {
      this.pending -= 1;
    });
    return result;
  }
}

function ignore(): void {
  // The caller holds the same promise and sees its failure.
}

/**
 * BEGIN, work, COMMIT on one connection. When anything throws, ROLLBACK. When the connection is lost while committing, the outcome
 * is unknown and this throws what the driver said; when even ROLLBACK fails, the connection is ended so that nobody gets it again.
 */
export async function runTransaction<T>(
  client: Client,
  work: (tx: Transaction) => Promise<T>,
  hookFailed: (error: unknown) => void,
): Promise<T> {
  const tx = new OpenTransaction(client);
  let result: T;
  try {
    await send(client, 'BEGIN ISOLATION LEVEL READ COMMITTED');
    result = await work(tx);
    await tx.settle();
    tx.close();
  } catch (error) {
    await tx.settle();
    tx.close();
    await rollBack(client);
    throw error;
  }
  await commit(client);
  for (const hook of tx.hooks) runHook(hook, hookFailed);
  return result;
}

/** What is committed is committed: a hook that fails must not look like a transaction that failed, nor keep others from running. */
function runHook(hook: () => void, hookFailed: (error: unknown) => void): void {
  try {
    hook();
  } catch (error) {
    hookFailed(error);
  }
}

async function commit(client: Client): Promise<void> {
  let command: string;
  try {
    ({ command } = await send(client, 'COMMIT'));
  } catch (error) {
    await rollBack(client);
    throw error;
  }
  // Postgres answers COMMIT of a failed transaction with ROLLBACK and no error.
  if (command !== 'COMMIT')
    throw new TransactionAborted('a statement of this transaction had failed; nothing was committed');
}

async function rollBack(client: Client): Promise<void> {
  try {
    await send(client, 'ROLLBACK');
  } catch {
    void client.end();
  }
}
