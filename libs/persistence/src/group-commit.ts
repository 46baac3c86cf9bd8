import type { Database } from './database';
import { isConnectionLoss } from './errors';
import { retryOnConflict } from './retry-on-conflict';
import type { Transaction } from './transaction';

export interface GroupCommitOptions<Item, Result> {
  readonly db: Pick<Database, 'transaction'>;
  /** Name in the error that reports a `run` without one result per item. */
  readonly name: string;
  readonly maxItems?: number;
  /**
   * Minimum milliseconds between two transactions, for items without a waiting caller. A full batch and the first item
   * after a pause start immediately.
   */
  readonly atMostEveryMs?: number;
  /** Number of concurrent transactions; default 1. With more, items are not committed in order of arrival. */
  readonly parallelCommits?: number;
  /**
   * Handles items in order of arrival and returns one result per item, or a function that does so after COMMIT, when
   * enqueued statements have been read.
   */
  readonly run: Run<Item, Result>;
}

type Run<Item, Result> = (
  tx: Transaction,
  items: readonly Item[],
) => Promise<readonly Result[] | (() => readonly Result[])>;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets concurrent callers share a transaction: while one runs, items collect for the next, without an artificial wait.
 * If a transaction of several items fails, each is retried alone; if the connection is lost, all callers receive that
 * error.
 */
export function groupCommit<Item, Result>(options: GroupCommitOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { db, name, maxItems = 128, atMostEveryMs = 0, parallelCommits = 1, run } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let scheduled = false;
  let begun = -Infinity;
  let rest: NodeJS.Timeout | undefined;

  function commit(items: readonly Item[]) {
    return retryOnConflict(db, async (tx) => {
      const answer = await run(tx, items);
      return typeof answer === 'function' ? answer : checked(answer, items);
    });
  }

  function checked(results: readonly Result[], items: readonly Item[]): readonly Result[] {
    if (results.length === items.length) return results;
    throw new Error(`${name} returned ${results.length} results for ${items.length} items`);
  }

  async function handle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const items = batch.map((each) => each.item);
    const rejectAll = (error: unknown) => {
      for (const each of batch) each.reject(error);
    };
    let answer: readonly Result[] | (() => readonly Result[]);
    try {
      answer = await commit(items);
    } catch (error) {
      if (batch.length === 1 || isConnectionLoss(error)) rejectAll(error);
      else for (const each of batch) await handle([each]);
      return;
    }
    // Committed items are not retried, even if reading their results fails.
    try {
      const results = typeof answer === 'function' ? checked(answer(), items) : answer;
      batch.forEach((each, index) => each.resolve(results[index] as Result));
    } catch (error) {
      rejectAll(error);
    }
  }

  function start(): void {
    if (waiting.length === 0 || running >= parallelCommits) return;
    const restMs = begun + atMostEveryMs - performance.now();
    clearTimeout(rest);
    if (restMs > 0 && waiting.length < maxItems) {
      rest = setTimeout(start, restMs);
      return;
    }
    begun = performance.now();
    const batch = waiting.slice(0, maxItems);
    waiting = waiting.slice(maxItems);
    running += 1;
    void handle(batch).finally(() => {
      running -= 1;
      start();
    });
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (scheduled) return;
      scheduled = true;
      // All items of one event loop turn share a transaction.
      setImmediate(() => {
        scheduled = false;
        start();
      });
    });
}
