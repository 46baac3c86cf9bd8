import { backOff } from './back-off';

describe('backOff', () => {
  it('doubles each wait up to the longest, and begins again after a reset', () => {
    const pauses = backOff({ firstMs: 100, longestMs: 500 });

    expect([1, 2, 3, 4, 5].map(() => pauses.next())).toEqual([100, 200, 400, 500, 500]);
    pauses.reset();
    expect(pauses.next()).toBe(100);
  });

  it('ends a wait without an error when the signal aborts', async () => {
    const stop = new AbortController();
    const waiting = backOff({ firstMs: 3_600_000, longestMs: 3_600_000 }).wait(stop.signal);

    stop.abort();

    await expect(waiting).resolves.toBeUndefined();
  });
});
