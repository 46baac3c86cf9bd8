import { Replayer } from './replay';

describe('a replay', () => {
  it.each([
    ['waits while live events wait', true, 0],
    ['looks for requests when no live event waits', false, 1],
  ])('%s', async (_case, busy, looks) => {
    const asked: unknown[] = [];
    const db = { query: (...given: unknown[]) => Promise.resolve(asked.push(given) && []) };
    const replayer = new Replayer({
      ...{ db: db as never, publisher: { isWritable: true } as never, sender: {} as never, log: {} as never },
      ...{ timings: { replayedPerSecond: 1_000 }, isBusy: () => busy },
    });

    await replayer.runDue(new AbortController().signal);

    expect(asked).toHaveLength(looks);
  });
});
