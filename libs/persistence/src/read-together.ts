interface Waiting<Row> {
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export interface ReadTogetherOptions<Row> {
  /** Reads the rows of these ids, in any order, without those that do not exist. */
  readonly read: (ids: readonly string[]) => Promise<readonly Row[]>;
  readonly idOf: (row: Row) => string;
  readonly mostIds?: number;
}

/**
 * Lets concurrent readers share a query: while one runs, ids collect for the next, each once, without an artificial
 * wait. A result is never older than its request, and two reads of one id return in the order of their requests.
 */
export function readTogether<Row>(options: ReadTogetherOptions<Row>): (id: string) => Promise<Row | undefined> {
  const { read, idOf, mostIds = 500 } = options;
  const waiting = new Map<string, Waiting<Row>[]>();
  let running = false;

  async function run(): Promise<void> {
    running = true;
    // All requests of one event loop turn share a query.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.size > 0) {
      const batch = new Map([...waiting].slice(0, mostIds));
      for (const id of batch.keys()) waiting.delete(id);
      await answer(batch);
    }
    running = false;
  }

  async function answer(batch: ReadonlyMap<string, readonly Waiting<Row>[]>): Promise<void> {
    try {
      const rows = new Map((await read([...batch.keys()])).map((row) => [idOf(row), row]));
      for (const [id, all] of batch) for (const { resolve } of all) resolve(rows.get(id));
    } catch (error) {
      for (const all of batch.values()) for (const { reject } of all) reject(error);
    }
  }

  return (id) =>
    new Promise((resolve, reject) => {
      const others = waiting.get(id);
      if (others) others.push({ resolve, reject });
      else waiting.set(id, [{ resolve, reject }]);
      if (!running) void run();
    });
}
