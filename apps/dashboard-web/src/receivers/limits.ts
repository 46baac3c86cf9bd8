import { latinDigits, wholeNumber } from '../text/whole-number';

interface LimitInputs {
  readonly dailyAmount: string;
  readonly monthlyAmount: string;
  readonly dailyCount: string;
}

/**
 * Limits in the format of the API, null for an empty field; undefined if the count is not a whole number. Amounts are
 * texts, and the API reports an invalid one.
 */
export function limitsOf({ dailyAmount, monthlyAmount, dailyCount }: LimitInputs) {
  const amount = (text: string) => (text.trim() === '' ? null : latinDigits(text).replace(/[\s,]/g, ''));
  const count = dailyCount.trim() === '' ? null : wholeNumber(dailyCount);
  if (count === undefined) return undefined;
  return {
    dailyAmount: amount(dailyAmount),
    monthlyAmount: amount(monthlyAmount),
    dailyCount: count,
  };
}
