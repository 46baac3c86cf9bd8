import { pollUntil } from './poll-until';

function counting() {
  let count = 0;
  return () => Promise.resolve((count += 1));
}

describe('pollUntil', () => {
  it('polls until the result is accepted and returns it', async () => {
    expect(await pollUntil(counting(), (count) => count === 3, { everyMs: 1, withinMs: 60_000 })).toBe(3);
  });

  it('returns the last result when the time is over', async () => {
    expect(await pollUntil(counting(), () => false, { everyMs: 1, withinMs: 0 })).toBe(1);
  });

  it('rejects with an error of the polled function', async () => {
    const broken = pollUntil(() => Promise.reject(new Error('away')), Boolean, { everyMs: 1, withinMs: 60_000 });

    await expect(broken).rejects.toThrow('away');
  });
});
