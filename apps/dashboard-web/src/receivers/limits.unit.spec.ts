import { limitsOf } from './limits';

describe('limitsOf', () => {
  it('reads amounts with separators, and empty fields as no limit', () => {
    expect(limitsOf({ dailyAmount: ' 1,50,000.50 ', monthlyAmount: '', dailyCount: '40' })).toEqual({
      dailyAmount: '150000.50',
      monthlyAmount: null,
      dailyCount: 40,
    });
  });

  it('reads Bangla digits', () => {
    expect(limitsOf({ dailyAmount: '৫০০', monthlyAmount: '', dailyCount: '৪০' })).toEqual({
      dailyAmount: '500',
      monthlyAmount: null,
      dailyCount: 40,
    });
  });

  it('has no limits if the count is not a whole number', () => {
    expect(limitsOf({ dailyAmount: '500', monthlyAmount: '', dailyCount: '40 a day' })).toBeUndefined();
  });
});
