import { toDigits } from './tidy-trx-id';

/** Accepts "345". */
export const PAYER_DIGITS = /^\d{3}$/;

/**
 * The last three digits of what a customer typed, who may give the whole number, or write it in Bangla. Runs in
 * browsers, too.
 */
export function tidyPayerDigits(typed: string): string {
  return toDigits(typed).replace(/\D/g, '').slice(-3);
}
