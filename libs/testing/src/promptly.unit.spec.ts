import { promptly } from './promptly';

describe('promptly', () => {
  const lasting = (...durations: number[]) => {
    const tryOnce = jest.fn(async () => durations.shift() ?? Infinity);
    return { tryOnce, outcome: promptly(1_000, tryOnce) };
  };

  it('succeeds with the first duration within the limit', async () => {
    const { tryOnce, outcome } = lasting(1_500, 999, 1);

    await outcome;

    expect(tryOnce).toHaveBeenCalledTimes(2);
  });

  it('fails if no attempt was fast enough, and lists the durations', async () => {
    await expect(lasting(1_000, 2_000.4, 1_200, 3_000, 1).outcome).rejects.toThrow(
      'Not once within 1000 ms; it took 1000, 2000, 1200, 3000 ms.',
    );
  });

  it('fails if an attempt throws', async () => {
    await expect(promptly(1_000, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  });
});
