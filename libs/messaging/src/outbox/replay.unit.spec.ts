import { Replayer } from './replay';

const REPLAY = {
  id: '1',
  queue: 'reconciler.events',
  asked: 1,
  types: ['sms.parsed'],
  since: '2026-11-21T10:00:00Z',
  position_at: null,
  position_seq: null,
};

describe('a replay', () => {
  it.each([
    [
      'is put off while live events to its queue wait',
      'reconciler.events',
      ['replay-claim', 'replay-put-off', 'replay-claim'],
    ],
    [
      'goes on while live events to another queue wait',
      'intent-api.events',
      ['replay-claim', 'replay-stretch-end', 'replay-read', 'replay-advance', 'replay-claim'],
    ],
  ])('%s', async (_case, busyQueue, expected) => {
    const statements: string[] = [];
    const open = [REPLAY];
    const db = {
      query({ name }: { name: string }) {
        statements.push(name);
        return Promise.resolve(name === 'replay-claim' ? open.splice(0) : []);
      },
      execute({ name }: { name: string }) {
        statements.push(name);
        return Promise.resolve(1);
      },
    };
    const replayer = new Replayer({
      db: db as never,
      publisher: { isWritable: true } as never,
      sender: {} as never,
      log: { info: () => undefined } as never,
      timings: { replayedPerSecond: 1_000 },
      isBusy: (queue) => queue === busyQueue,
    });

    await replayer.runDue(new AbortController().signal);

    expect(statements).toEqual(expected);
  });

  it('has at most 10 unconfirmed messages', async () => {
    const rows = Array.from({ length: 100 }, (_, n) => ({ id: String(n), body: '{}', epoch: null }));
    const answers: Record<string, object[][]> = { 'replay-claim': [[REPLAY]], 'replay-read': [rows] };
    let unconfirmed = 0;
    let most = 0;
    const published: string[] = [];
    const replayer = new Replayer({
      db: {
        query: ({ name }: { name: string }) => Promise.resolve(answers[name]?.shift() ?? []),
        execute: () => Promise.resolve(1),
      } as never,
      publisher: {
        isWritable: true,
        async confirmed({ id }: { id: string }) {
          published.push(id);
          most = Math.max(most, (unconfirmed += 1));
          await Promise.resolve();
          unconfirmed -= 1;
        },
      } as never,
      sender: { prepare: () => ({}) } as never,
      log: { info: () => undefined } as never,
      timings: { replayedPerSecond: 1_000 },
      isBusy: () => false,
    });

    await replayer.runDue(new AbortController().signal);

    expect(published).toEqual(rows.map(({ id }) => id));
    expect(most).toBe(10);
  });
});
