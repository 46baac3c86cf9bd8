import { toDigits } from './tidy-trx-id';

/** Accepts "345". */
export const PAYER_DIGITS = /^\d{3}$/;

/** The last three digits of the input, which may be the whole number or in Bangla digits. Also runs in browsers. */
export function tidyPayerDigits(typed: string): string {
  return toDigits(typed).replace(/\D/g, '').slice(-3);
}
