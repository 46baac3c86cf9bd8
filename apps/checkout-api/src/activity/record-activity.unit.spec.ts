import { createLogger } from '@pay/runtime';
import { activityRecorder } from './record-activity';

const log = createLogger({ service: 'checkout-api', level: 'silent' });

function recorderUnderTest() {
  const stored: string[][] = [];
  const state = { isAway: false };
  const execute = (_sql: unknown, values: readonly unknown[] = []) => {
    if (state.isAway) return Promise.reject(new Error('away'));
    stored.push([...(values[0] as string[])]);
    return Promise.resolve(1);
  };
  const now = () => new Date(0);
  const recorder = activityRecorder({ db: { execute }, log, now, clock: () => 0 });
  /** Stopping also stores waiting actions. */
  const stop = () => recorder.worker.run(AbortSignal.abort());
  return { recorder, stored, state, stop };
}

describe('a recorder of activity', () => {
  it('writes an action once, whatever the number of repeats', async () => {
    const { recorder, stored, stop } = recorderUnderTest();

    for (let time = 0; time < 1_000; time += 1) recorder.record('one', 'viewed');
    recorder.record('one', 'cancelled');
    await stop();
    recorder.record('one', 'viewed');
    await stop();

    expect(stored).toEqual([['one', 'one']]);
  });

  it('keeps actions that could not be stored, up to its limit', async () => {
    const { recorder, stored, state, stop } = recorderUnderTest();
    state.isAway = true;

    for (let intent = 0; intent < 30_000; intent += 1) recorder.record(String(intent), 'viewed');
    await stop();
    expect(stored).toEqual([]);
    state.isAway = false;
    await stop();

    expect(stored.flat()).toHaveLength(20_000);
    expect(Math.max(...stored.map(({ length }) => length))).toBe(1_000);
  });
});
