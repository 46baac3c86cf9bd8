import { semaphore } from './semaphore';

function aStage(mostAtOnce: number) {
  const begun: string[] = [];
  const ends = new Map<string, (fails?: Error) => void>();
  const inTurn = semaphore({ mostAtOnce });
  const take = (item: string) =>
    inTurn(
      () =>
        new Promise<string>((resolve, reject) => {
          begun.push(item);
          ends.set(item, (failure) => (failure ? reject(failure) : resolve(item)));
        }),
      item.charAt(0),
    );
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

it('runs up to the maximum concurrently, and a failed task frees its slot', async () => {
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

it('refuses an owner beyond its maximum number of waiting callers, and lets others wait', async () => {
  const ends: (() => void)[] = [];
  const waiting = { most: 5, mostPerOwner: 1, refuse: () => new RangeError('too many wait') };
  const inTurn = semaphore({ mostAtOnce: 1, waiting });
  const take = (owner: string) => inTurn(() => new Promise<void>((end) => ends.push(end)), owner);
  const all = [take('a'), take('a')];

  await expect(take('a')).rejects.toThrow(RangeError);
  all.push(take('b'));
  for (const [index, each] of all.entries()) {
    ends[index]?.();
    await each;
    await new Promise(setImmediate);
  }
});

it('refuses callers beyond the maximum number of waiting ones', async () => {
  const ends: (() => void)[] = [];
  const inTurn = semaphore({ mostAtOnce: 1, waiting: { most: 2, refuse: () => new RangeError('too many wait') } });
  const take = () => inTurn(() => new Promise<void>((end) => ends.push(end)));
  const [first, ...others] = [take(), take(), take()];

  await expect(take()).rejects.toThrow(RangeError);
  ends[0]?.();
  await first;
  others.push(take());
  await expect(take()).rejects.toThrow(RangeError);
  for (const [index, other] of others.entries()) {
    await new Promise(setImmediate);
    ends[index + 1]?.();
    await other;
  }
});
