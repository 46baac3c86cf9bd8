import { createResolveHost, type Lookup, type ResolveHost } from './resolve-host';

const clock = { now: 0 };
const counting = (answer: () => ReturnType<Lookup>): { asked: () => number; resolve: ResolveHost } => {
  let count = 0;
  const resolve = createResolveHost(
    () => {
      count += 1;
      return answer();
    },
    () => clock.now,
  );
  return { asked: () => count, resolve };
};

test('results are cached for their TTL, at most a minute, and concurrent callers share a query', async () => {
  const { asked, resolve } = counting(() => Promise.resolve({ addresses: ['8.8.8.8'], ttlMs: 3_600_000 }));
  await Promise.all([resolve('a.test'), resolve('a.test')]);
  expect(asked()).toBe(1);

  clock.now += 59_000;
  await resolve('a.test');
  expect(asked()).toBe(1);
  clock.now += 2_000;
  await resolve('a.test');
  expect(asked()).toBe(2);
});

test('a failure is cached for five seconds', async () => {
  const { asked, resolve } = counting(() => Promise.reject(Object.assign(new Error('x'), { code: 'ESERVFAIL' })));
  await expect(resolve('b.test')).rejects.toMatchObject({ outcome: 'DNS', detail: 'ESERVFAIL' });
  await expect(resolve('b.test')).rejects.toMatchObject({ outcome: 'DNS' });
  expect(asked()).toBe(1);

  clock.now += 6_000;
  await expect(resolve('b.test')).rejects.toMatchObject({ outcome: 'DNS' });
  expect(asked()).toBe(2);
});

test('a query without a response fails after two seconds', async () => {
  const { resolve } = counting(() => new Promise(() => undefined));

  await expect(resolve('c.test')).rejects.toMatchObject({ outcome: 'DNS', detail: 'ETIMEOUT' });
});
