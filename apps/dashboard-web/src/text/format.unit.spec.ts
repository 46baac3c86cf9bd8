import { ago, count, dateTime, day, decimal, digits, hour, money, percent, seconds, weekday } from './format';

describe('money', () => {
  it.each([
    ['0.01', 'Tk\u00a00.01'],
    ['1250.5', 'Tk\u00a01,250.50'],
    ['-0.5', '-Tk\u00a00.50'],
    ['-1250.05', '-Tk\u00a01,250.05'],
    ['9999999.99', 'Tk\u00a099,99,999.99'],
    ['90071992547409931.01', 'Tk\u00a090,07,19,92,54,74,09,931.01'],
  ])('groups %s by lakh without loss of a poisha', (amount, shown) => {
    expect(money(amount, 'en')).toBe(shown);
  });

  it('uses Bangla digits in Bangla', () => {
    expect(money('1234567.5', 'bn')).toBe('৳১২,৩৪,৫৬৭.৫০');
    expect(count(123_456, 'bn')).toBe('১,২৩,৪৫৬');
    expect(digits('01712', 'bn')).toBe('০১৭১২');
  });
});

describe('times', () => {
  it('are shown in the time of Dhaka', () => {
    expect(dateTime('2026-11-23T18:30:05.000Z', 'en')).toBe('24 Nov 2026, 12:30:05 am');
    expect(dateTime('2026-11-23T18:30:05.000Z', 'bn')).toBe('২৪ নভে, ২০২৬, ০০:৩০:০৫');
  });

  it('are rounded towards now in the largest unit that fits', () => {
    const now = new Date('2026-11-23T12:00:00Z');

    expect(ago('2026-11-23T11:58:10Z', now, 'en')).toBe('1 minute ago');
    expect(ago('2026-11-21T11:00:00Z', now, 'en')).toBe('2 days ago');
    expect(ago('2026-11-23T12:00:00Z', now, 'bn')).not.toBe('');
  });
});

describe('days and hours', () => {
  it('are those of a calendar, in whatever time zone the browser is', () => {
    expect([day('2026-11-23', 'en'), weekday('2026-11-23', 'en')]).toEqual(['23 November 2026', 'Monday']);
    expect(weekday('2026-11-23', 'bn')).toBe('সোমবার');
    expect([hour(0, 'en'), hour(15, 'en')]).toEqual(['12 am', '3 pm']);
    expect(hour(15, 'bn')).toBe('১৫:০০');
  });
});

describe('shares and fractions', () => {
  it('never show all for less than all', () => {
    expect([percent(0.9999, 'en'), percent(1, 'en'), percent(0.9999, 'bn')]).toEqual(['99.9%', '100%', '৯৯.৯%']);
    expect(decimal(0.42, 'en')).toBe('0.4');
    expect([seconds(0.038, 'en'), seconds(0.001, 'bn'), seconds(12.34, 'en')]).toEqual(['0.04', '০.০১', '12.3']);
  });
});
