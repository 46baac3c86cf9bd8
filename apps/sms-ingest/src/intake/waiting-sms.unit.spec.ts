import { openWaitingSms } from './waiting-sms';

describe('SMS that wait in the memory of a process', () => {
  const anSms = (merchantId: string, second: number) => ({
    merchantId,
    environment: 'LIVE' as const,
    ingestedAt: new Date(second * 1_000),
  });
  /** Work that ends when the test says so. */
  function work() {
    let resolve: (id: string) => void = () => undefined;
    let reject: (error: Error) => void = () => undefined;
    const promise = new Promise<string>((...ends) => {
      [resolve, reject] = ends;
    });
    return { run: () => promise, resolve: (id: string) => resolve(id), reject: (error: Error) => reject(error) };
  }

  it('are named by the oldest of each tenant once they have waited for a second, until they are stored', async () => {
    let now = 0;
    const waiting = openWaitingSms(() => now);
    const [first, second, third] = [work(), work(), work()];
    const stored = waiting.untilStored(anSms('one', 7), first.run);
    const alsoStored = waiting.untilStored(anSms('one', 8), second.run);
    now = 500;
    const other = waiting.untilStored(anSms('two', 9), third.run);

    expect(waiting.longWaiting()).toEqual([]);
    now = 1_000;
    expect(waiting.longWaiting()).toEqual([{ merchantId: 'one', environment: 'LIVE', oldest: new Date(7_000) }]);
    first.resolve('id');
    expect(await stored).toBe('id');
    now = 1_500;
    expect(waiting.longWaiting().map(({ merchantId, oldest }) => [merchantId, oldest.getTime()])).toEqual([
      ['one', 8_000],
      ['two', 9_000],
    ]);
    second.resolve('id');
    third.resolve('id');
    await Promise.all([alsoStored, other]);
    expect(waiting.longWaiting()).toEqual([]);
  });

  it('wait no longer when they could not be stored', async () => {
    let now = 0;
    const waiting = openWaitingSms(() => now);
    const failing = work();
    const stored = waiting.untilStored(anSms('one', 7), failing.run);
    now = 5_000;
    expect(waiting.longWaiting()).toHaveLength(1);

    failing.reject(new Error('the database is away'));

    await expect(stored).rejects.toThrow('the database is away');
    expect(waiting.longWaiting()).toEqual([]);
  });
});
