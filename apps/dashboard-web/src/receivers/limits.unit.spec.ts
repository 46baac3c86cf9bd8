import { limitsOf } from './limits';

describe('limitsOf', () => {
  it('reads amounts with separators, and empty fields as no limit', () => {
    expect(limitsOf({ dailyAmount: ' 1,50,000.50 ', monthlyAmount: '', dailyCount: '40' })).toEqual({
      dailyAmount: '150000.50',
      monthlyAmount: null,
      dailyCount: 40,
    });
  });
});
