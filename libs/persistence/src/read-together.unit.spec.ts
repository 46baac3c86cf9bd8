import { readTogether } from './read-together';

function reader(mostIds?: number) {
  const asked: string[][] = [];
  const state = new Map([
    ['a', 1],
    ['b', 1],
    ['c', 1],
  ]);
  let failure: Error | undefined;
  const read = readTogether({
    async read(ids) {
      asked.push([...ids]);
      await Promise.resolve();
      if (failure) throw failure;
      return ids.flatMap((id) => (state.has(id) ? [{ id, value: state.get(id) }] : []));
    },
    idOf: ({ id }) => id,
    ...(mostIds !== undefined && { mostIds }),
  });
  return { read, asked, state, fail: (error: Error | undefined) => (failure = error) };
}

describe('readTogether', () => {
  it('combines concurrent requests into one query that contains each id once', async () => {
    const { read, asked } = reader();

    const rows = await Promise.all(['a', 'b', 'a', 'unknown'].map(read));

    expect(rows.map((row) => row?.value)).toEqual([1, 1, 1, undefined]);
    expect(asked).toEqual([['a', 'b', 'unknown']]);
  });

  it('reads ids that are requested during a query with the next query', async () => {
    const { read, asked, state } = reader();
    const first = read('a');
    await new Promise((resolve) => setImmediate(resolve));
    state.set('a', 2);
    const second = read('a');

    expect([(await first)?.value, (await second)?.value]).toEqual([1, 2]);
    expect(asked.length).toBe(2);
  });

  it('limits the number of ids per query', async () => {
    const { read, asked } = reader(2);

    await Promise.all(['a', 'b', 'c'].map(read));

    expect(asked).toEqual([['a', 'b'], ['c']]);
  });

  it('rejects all callers of a failed query and no later callers', async () => {
    const { read, fail } = reader();
    fail(new Error('away'));

    await expect(Promise.all([read('a'), read('b')])).rejects.toThrow('away');
    fail(undefined);
    expect((await read('a'))?.value).toBe(1);
  });
});
