interface LimitInputs {
  readonly dailyAmount: string;
  readonly monthlyAmount: string;
  readonly dailyCount: string;
}

/**
 * Limits in the format of the API; empty fields are omitted. Invalid numbers are sent unchanged, and the API reports
 * the error.
 */
export function limitsOf({ dailyAmount, monthlyAmount, dailyCount }: LimitInputs) {
  const amount = (text: string) => (text.trim() === '' ? null : text.replace(/[\s,]/g, ''));
  const count = dailyCount.trim();
  return {
    dailyAmount: amount(dailyAmount),
    monthlyAmount: amount(monthlyAmount),
    dailyCount: count === '' ? null : Number(count),
  };
}
