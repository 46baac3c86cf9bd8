import { FreshCache } from './fresh-cache';

function cacheAt(maxEntries = 100) {
  const time = { now: 0 };
  const cache = new FreshCache<string>({ maxAgeMs: 1_000, maxEntries, clock: () => time.now });
  return { time, cache };
}

function heldLoad() {
  const answers: ((value: string | undefined) => void)[] = [];
  const load = jest.fn(() => new Promise<string | undefined>((resolve) => answers.push(resolve)));
  return { load, answer: (index: number, value: string | undefined) => answers[index]?.(value) };
}

describe('FreshCache', () => {
  it('loads once for concurrent callers and returns the cached value until it is a second old', async () => {
    const { cache, time } = cacheAt();
    const load = jest.fn(async () => 'value');

    await Promise.all(Array.from({ length: 50 }, () => cache.get('key', load)));
    time.now = 999;
    await cache.get('key', load);
    expect(load).toHaveBeenCalledTimes(1);

    time.now = 1_000;
    await expect(cache.get('key', load)).resolves.toBe('value');
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('loads again when its clock has gone back', async () => {
    const { cache, time } = cacheAt();
    const load = jest.fn(async () => 'value');
    time.now = 60_000;
    await cache.get('key', load);

    time.now = 59_999;
    await cache.get('key', load);

    expect(load).toHaveBeenCalledTimes(2);
  });

  it('loads a value again after its own maximum age if that is shorter', async () => {
    const time = { ms: 0 };
    const limits = { maxAgeMs: 1_000, maxAgeMsOf: (value: number) => value, maxEntries: 10 };
    const cache = new FreshCache<number>({ ...limits, clock: () => time.ms });
    const load = jest.fn(async () => 300);

    await cache.get('a', load);
    time.ms = 299;
    await cache.get('a', load);
    expect(load).toHaveBeenCalledTimes(1);
    time.ms = 300;
    await cache.get('a', load);

    expect(load).toHaveBeenCalledTimes(2);
  });

  it('counts the age from the start of the load, not from its end', async () => {
    const { cache, time } = cacheAt();
    const { load, answer } = heldLoad();

    const first = cache.get('key', load);
    time.now = 900;
    answer(0, 'old');
    await first;
    time.now = 1_000;
    void cache.get('key', load);

    expect(load).toHaveBeenCalledTimes(2);
  });

  it('does not cache a load that was in progress when it was cleared, and does not share it with new callers', async () => {
    const { cache } = cacheAt();
    const { load, answer } = heldLoad();

    const before = cache.get('key', load);
    cache.drop();
    const after = cache.get('key', load);
    answer(0, 'old');
    answer(1, 'new');

    await expect(before).resolves.toBe('old');
    await expect(after).resolves.toBe('new');
    await expect(cache.get('key', load)).resolves.toBe('new');
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('caches missing values for the same time', async () => {
    const { cache, time } = cacheAt();
    const load = jest.fn(async () => undefined);

    await cache.get('key', load);
    await cache.get('key', load);
    expect(load).toHaveBeenCalledTimes(1);

    time.now = 1_000;
    await cache.get('key', load);
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('does not cache a failure', async () => {
    const { cache } = cacheAt();

    await expect(cache.get('key', () => Promise.reject(new Error('database gone')))).rejects.toThrow('database gone');

    await expect(cache.get('key', async () => 'value')).resolves.toBe('value');
  });

  it('stays within its bound with ever new keys, and missing values do not evict existing ones', async () => {
    const { cache } = cacheAt(10);
    const load = jest.fn(async () => 'value');
    await cache.get('known', load);

    for (let index = 0; index < 1_000; index += 1) await cache.get(`unknown ${index}`, async () => undefined);

    expect(cache.size).toBe(11);
    await cache.get('known', load);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('removes stale values when a new one is added', async () => {
    const { cache, time } = cacheAt();
    for (let index = 0; index < 50; index += 1) await cache.get(`${index}`, async () => 'value');

    time.now = 2_000;
    await cache.get('new', async () => 'value');

    expect(cache.size).toBe(1);
  });
});
