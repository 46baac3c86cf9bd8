import type { Database } from './database';
import { isConnectionLoss } from './errors';
import { retryOnConflict } from './retry-on-conflict';
import type { Transaction } from './transaction';

export interface GroupCommitOptions<Item, Result> {
  readonly db: Pick<Database, 'transaction'>;
  /** Named in the error when `run` breaks its promise of one result per item. */
  readonly name: string;
  readonly maxItems?: number;
  readonly concurrency?: number;
  /** Handles items in the order they came; answers one result per item, in that order. */
  readonly run: (tx: Transaction, items: readonly Item[]) => Promise<readonly Result[]>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets concurrent callers share one transaction: while one runs, the items of others gather for the next. There is no artificial
 * wait. Each caller gets its own result after COMMIT. When a transaction of several fails, each item is tried alone, so that a bad one
 * fails alone; when the connection is lost the outcome of all is unknown and all of them hear that.
 */
export function groupCommit<Item, Result>(options: GroupCommitOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { db, name, maxItems = 128, concurrency = 1, run } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let scheduled = false;

  async function commit(batch: readonly Waiting<Item, Result>[]): Promise<readonly Result[]> {
    const items = batch.map((each) => each.item);
    return retryOnConflict(db, async (tx) => {
      const results = await run(tx, items);
      if (results.length === items.length) return results;
      throw new Error(`${name} answered ${results.length} results for ${items.length} items`);
    });
  }

  async function handle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await commit(batch);
      batch.forEach((each, index) => each.resolve(results[index] as Result));
    } catch (error) {
      if (batch.length === 1 || isConnectionLoss(error)) for (const each of batch) each.reject(error);
      else for (const each of batch) await handle([each]);
    }
  }

  function start(): void {
    while (running < concurrency && waiting.length > 0) {
      const batch = waiting.slice(0, maxItems);
      waiting = waiting.slice(maxItems);
      running += 1;
      void handle(batch).finally(() => {
        running -= 1;
        start();
      });
    }
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (scheduled) return;
      scheduled = true;
      // Everything that arrived in this turn of the event loop goes together.
      setImmediate(() => {
        scheduled = false;
        start();
      });
    });
}
