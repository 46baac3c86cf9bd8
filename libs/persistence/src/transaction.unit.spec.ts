import { runTransaction, type Transaction } from './transaction';

function aClient() {
  const seen = { most: 0, texts: [] as string[] };
  let open = 0;
  const query = async (sql: { text: string }) => {
    open += 1;
    seen.most = Math.max(seen.most, open);
    seen.texts.push(sql.text);
    await new Promise((resolve) => setImmediate(resolve));
    open -= 1;
    if (sql.text === 'fails') throw new Error('refused');
    return { rows: [], rowCount: 0, command: sql.text };
  };
  return { seen, client: { query, end: () => Promise.resolve() } as never };
}

describe('a connection in a transaction', () => {
  it('receives independent statements together with BEGIN, in the order in which they were started', async () => {
    const { seen, client } = aClient();

    await runTransaction(client, (tx) => Promise.all(['a', 'b', 'c'].map((sql) => tx.query(sql))), fail);

    expect(seen.most).toBe(4);
    expect(seen.texts.slice(1)).toEqual(['a', 'b', 'c', 'COMMIT']);
  });

  it('receives COMMIT together with the last enqueued statement', async () => {
    const { seen, client } = aClient();

    const work = async (tx: Transaction) => {
      tx.enqueue('a');
      await tx.query('b');
      tx.enqueue('c');
    };
    await runTransaction(client, work, fail);

    expect(seen.texts.slice(1)).toEqual(['a', 'b', 'c', 'COMMIT']);
    expect(seen.most).toBe(3);
  });

  it('is rolled back after all started statements when one of them fails', async () => {
    const { seen, client } = aClient();

    const work = runTransaction(client, (tx) => Promise.all(['a', 'fails', 'c'].map((sql) => tx.query(sql))), fail);

    await expect(work).rejects.toThrow('refused');
    expect(seen.texts.slice(1)).toEqual(['a', 'fails', 'c', 'ROLLBACK']);
  });
});

function fail(error: unknown): never {
  throw error;
}
