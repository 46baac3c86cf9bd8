import { streamSeats } from './stream-seats';

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

describe('seats of event streams', () => {
  it('are limited per intent, per address and in total', () => {
    const seats = streamSeats(LIMITS);
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

    expect(takes.map(([address, intent]) => refused(() => seats.take(address, intent)))).toEqual([
      ...[false, false],
      // limit of the intent, of the address, in total
      ...[true, false, false, true, false, true],
    ]);
    expect(seats.taken).toBe(5);
  });

  it('are freed once, also if they are released twice', () => {
    const seats = streamSeats(LIMITS);
    const giveBack = seats.take('a', '1');
    seats.take('b', '1');

    giveBack();
    giveBack();

    expect(seats.taken).toBe(1);
    expect([refused(() => seats.take('c', '1')), refused(() => seats.take('d', '1'))]).toEqual([false, true]);
  });
});
