import { dayInDhaka, firstOfMonth, hourInDhaka } from './day';

describe('a day of Asia/Dhaka', () => {
  it.each([
    ['2026-11-20T17:59:59.999Z', '2026-11-20'],
    ['2026-11-20T18:00:00.000Z', '2026-11-21'],
    ['2026-12-31T18:00:00.000Z', '2027-01-01'],
  ])('%s is %s', (instant, day) => {
    expect(dayInDhaka(new Date(instant))).toBe(day);
  });

  it.each([
    ['2026-11-20T17:59:59.999Z', 23],
    ['2026-11-20T18:00:00.000Z', 0],
  ])('has an hour: that of %s is %s', (instant, hour) => {
    expect(hourInDhaka(new Date(instant))).toBe(hour);
  });

  it('is in a month that begins on the first', () => {
    expect(firstOfMonth('2026-11-21')).toBe('2026-11-01');
  });
});
