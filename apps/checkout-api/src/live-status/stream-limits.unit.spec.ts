import { createStreamLimits } from './stream-limits';

const LIMITS = {
  RATE_LIMIT_STREAMS_PER_ADDRESS: 3,
  RATE_LIMIT_STREAMS_PER_INTENT: 2,
  RATE_LIMIT_STREAMS_PER_REPLICA: 5,
};
const refused = (take: () => unknown) => {
  try {
    take();
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 30 });
    return true;
  }
};

describe('limits of event streams', () => {
  it('are limited per intent, per address and in total', () => {
    const streamLimits = createStreamLimits(LIMITS);
    const takes = [
      ['a', '1'],
      ['b', '1'],
      ['c', '1'],
      ['a', '2'],
      ['a', '3'],
      ['a', '4'],
      ['b', '5'],
      ['c', '6'],
    ] as const;

    expect(takes.map(([address, intent]) => refused(() => streamLimits.take(address, intent)))).toEqual([
      ...[false, false],
      // limit of the intent, of the address, in total
      ...[true, false, false, true, false, true],
    ]);
    expect(streamLimits.taken).toBe(5);
  });

  it('are freed once, also if they are released twice', () => {
    const streamLimits = createStreamLimits(LIMITS);
    const release = streamLimits.take('a', '1');
    streamLimits.take('b', '1');

    release();
    release();

    expect(streamLimits.taken).toBe(1);
    expect([refused(() => streamLimits.take('c', '1')), refused(() => streamLimits.take('d', '1'))]).toEqual([
      false,
      true,
    ]);
  });
});
