interface LimitInputs {
  readonly dailyAmount: string;
  readonly monthlyAmount: string;
  readonly dailyCount: string;
}

/**
 * Limits as the API takes them; empty fields are no limits. What is no number is sent as it is, and the API says what
 * is wrong.
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
