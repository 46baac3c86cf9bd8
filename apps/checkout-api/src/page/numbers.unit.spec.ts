import { formatCountdown, formatMinute, formatMoment, formatTaka, typedAmount } from './numbers';

describe('numbers on the page', () => {
  test.each([
    ['500', 'Tk 500', '৳৫০০'],
    ['1250.5', 'Tk 1,250.50', '৳১,২৫০.৫০'],
    ['9999999.99', 'Tk 99,99,999.99', '৳৯৯,৯৯,৯৯৯.৯৯'],
    ['100000', 'Tk 1,00,000', '৳১,০০,০০০'],
  ])('an amount of %s is grouped as in Bangladesh', (amount, english, bangla) => {
    expect([formatTaka('en', amount), formatTaka('bn', amount)]).toEqual([english, bangla]);
  });

  it('numbers to be entered use Latin digits without groups', () => {
    expect([typedAmount('1250.5'), typedAmount('1250.50'), typedAmount('500')]).toEqual(['1250.50', '1250.50', '500']);
  });

  test.each([
    [299_500, '4:59', '৪:৫৯'],
    [3_600_000, '1:00:00', '১:০০:০০'],
    [-1, '0:00', '০:০০'],
  ])('show %d ms as remaining time', (ms, english, bangla) => {
    expect([formatCountdown('en', ms), formatCountdown('bn', ms)]).toEqual([english, bangla]);
  });

  it('show times of Asia/Dhaka', () => {
    expect(formatMinute('en', '2026-11-21T18:05:00.000Z')).toBe('12:05 AM');
    expect(formatMinute('bn', '2026-11-21T04:42:00.000Z')).toBe('সকাল ১০:৪২');
    expect(formatMoment('en', '2026-12-31T18:05:00.000Z')).toBe('1 Jan 2027, 12:05 AM');
    expect(formatMoment('bn', '2026-11-21T04:42:00.000Z')).toBe('২১ নভেম্বর ২০২৬, সকাল ১০:৪২');
  });
});
