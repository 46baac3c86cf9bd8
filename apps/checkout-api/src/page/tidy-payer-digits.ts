import { toDigits } from './tidy-trx-id';

/** Example: "345". */
export const PAYER_DIGITS = /^\d{3}$/;

/** The input may be the whole number, or in Bangla digits. Also runs in browsers. */
export function tidyPayerDigits(typed: string): string {
  return toDigits(typed).replace(/\D/g, '').slice(-3);
}
