import { promptly } from './promptly';

describe('promptly', () => {
  const lasting = (...durations: number[]) => {
    const tryOnce = jest.fn(async () => durations.shift() ?? Infinity);
    return { tryOnce, outcome: promptly(1_000, tryOnce) };
  };

  it('is content with the first time that was short enough', async () => {
    const { tryOnce, outcome } = lasting(1_500, 999, 1);

    await outcome;

    expect(tryOnce).toHaveBeenCalledTimes(2);
  });

  it('fails when none was, and says how long each took', async () => {
    await expect(lasting(1_000, 2_000.4, 1_200, 3_000, 1).outcome).rejects.toThrow(
      'Not once within 1000 ms; it took 1000, 2000, 1200, 3000 ms.',
    );
  });

  it('is not content with a try that failed', async () => {
    await expect(promptly(1_000, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  });
});
