import { ago, count, dateTime, digits, money } from './format';

describe('money', () => {
  it.each([
    ['0.01', 'Tk 0.01'],
    ['1250.5', 'Tk 1,250.50'],
    ['9999999.99', 'Tk 99,99,999.99'],
    ['90071992547409931.01', 'Tk 90,07,19,92,54,74,09,931.01'],
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
    expect(dateTime('2026-11-23T18:30:05.000Z', 'bn')).toContain('২৪');
  });

  it('are rounded towards now in the largest unit that fits', () => {
    const now = new Date('2026-11-23T12:00:00Z');

    expect(ago('2026-11-23T11:58:10Z', now, 'en')).toBe('1 minute ago');
    expect(ago('2026-11-21T11:00:00Z', now, 'en')).toBe('2 days ago');
    expect(ago('2026-11-23T12:00:00Z', now, 'bn')).not.toBe('');
  });
});
