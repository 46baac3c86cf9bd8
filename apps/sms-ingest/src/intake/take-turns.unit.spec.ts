import { takeTurns } from './take-turns';

/** Items that end when they are told to. */
function aStage(mostAtOnce: number) {
  const begun: string[] = [];
  const ends = new Map<string, (fails?: Error) => void>();
  const take = takeTurns({
    mostAtOnce,
    ownerOf: (item: string) => item.charAt(0),
    run: (item) =>
      new Promise<string>((resolve, reject) => {
        begun.push(item);
        ends.set(item, (failure) => (failure ? reject(failure) : resolve(item)));
      }),
  });
  const end = async (item: string, failure?: Error) => {
    ends.get(item)?.(failure);
    await new Promise(setImmediate);
  };
  return { begun, take, end };
}

it('alternates between merchants regardless of arrival order', async () => {
  const { begun, take, end } = aStage(1);
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((item) => take(item));
  for (let place = 0; place < all.length; place += 1) await end(begun[place] ?? '');

  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  await expect(Promise.all(all)).resolves.toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']);
});

it('runs up to the maximum at once, and a failed item frees its place', async () => {
  const { begun, take, end } = aStage(2);
  const [first, , third] = ['a1', 'a2', 'a3'].map((item) => take(item));
  const failure = first?.catch(String);
  expect(begun).toEqual(['a1', 'a2']);

  await end('a1', new Error('no'));
  expect(await failure).toBe('Error: no');
  expect(begun).toEqual(['a1', 'a2', 'a3']);
  await end('a3');
  await expect(third).resolves.toBe('a3');
});
