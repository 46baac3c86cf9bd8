/** The same text with Latin instead of Bangla digits. */
export function latinDigits(text: string): string {
  return text.replace(/[০-৯]/g, (digit) => String(digit.charCodeAt(0) - 0x09e6));
}

/** A code of digits, as an authenticator app shows it: "১২৩ 456" is "123456". */
export function digitCode(text: string): string {
  return latinDigits(text).replace(/\s/g, '');
}

/**
 * The number of a text that has only digits, of either script; undefined otherwise. `Number` would be NaN for other
 * texts, which JSON writes as null, and null means "no limit" or "no rule".
 */
export function wholeNumber(text: string): number | undefined {
  const digits = latinDigits(text.trim());
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}
