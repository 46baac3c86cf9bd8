import type { IntentCopy } from '../domain/intent-copy';
import { intentWatch } from './intent-watch';

const ID = '00000000-0000-7000-8000-000000000001';
const copy = (sequence: number) => ({ sequence, intent: { id: ID } }) as IntentCopy;
const isSecond = ({ sequence }: IntentCopy) => sequence === 2;

describe('an intent watch', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('resolves immediately if the condition is already met', async () => {
    const watch = intentWatch(() => Promise.resolve(copy(2)));

    expect(await watch.until(ID, isSecond, 1_000)).toEqual(copy(2));
  });

  it('resolves with a copy that the consumer of this process stores', async () => {
    const watch = intentWatch(() => Promise.resolve(copy(1)));
    const waiting = [watch.until(ID, isSecond, 1_000), watch.until(ID, isSecond, 1_000)];

    watch.announce([copy(2)]);

    expect(await Promise.all(waiting)).toEqual([copy(2), copy(2)]);
  });

  it('finds a copy that another replica has stored', async () => {
    let stored = copy(1);
    const watch = intentWatch(() => Promise.resolve(stored));
    const waiting = watch.until(ID, isSecond, 1_000);

    stored = copy(2);
    await jest.advanceTimersByTimeAsync(100);

    expect(await waiting).toEqual(copy(2));
  });

  it('ends after its timeout without leaving a timer', async () => {
    const watch = intentWatch(() => Promise.resolve(copy(1)));
    const waiting = watch.until(ID, isSecond, 1_000);

    await jest.advanceTimersByTimeAsync(1_000);

    expect(await waiting).toBeUndefined();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('continues to wait when a read fails', async () => {
    const watch = intentWatch(() => Promise.reject(new Error('the database is away')));
    const waiting = watch.until(ID, isSecond, 1_000);

    await jest.advanceTimersByTimeAsync(300);
    watch.announce([copy(2)]);

    expect(await waiting).toEqual(copy(2));
  });
});
