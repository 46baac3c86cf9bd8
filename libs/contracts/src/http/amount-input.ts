import { z } from 'zod';
import { MAX_INTENT_AMOUNT, parseAmount, type Poisha } from '../money';
import { AMOUNT_LENGTH } from './request-values';

/** `pattern` accepts the same amounts as text. */
interface AmountRange {
  readonly least: bigint;
  readonly most: bigint;
  readonly pattern: string;
}

/** More than 0, at most two decimals, and at most so many digits before them. Example: "500.50". */
const positiveDecimal = (digitsBefore: number) =>
  `^0{0,${15 - digitsBefore}}(?:[1-9][0-9]{0,${digitsBefore - 1}}(?:\\.[0-9]{1,2})?|0\\.(?:0[1-9]|[1-9][0-9]?))$`;
export const INTENT_AMOUNTS = { least: 1n, most: MAX_INTENT_AMOUNT, pattern: positiveDecimal(7) };
/** 0 to 9,999,999.99, at most two decimals. */
export const AMOUNTS_FROM_ZERO = { ...INTENT_AMOUNTS, least: 0n, pattern: '^0{0,8}[0-9]{1,7}(?:\\.[0-9]{1,2})?$' };
export const LIMIT_AMOUNTS = { least: 1n, most: 99_999_999_999_999n, pattern: positiveDecimal(12) };

/**
 * An amount of a request in BDT, as a number or a decimal string. Returns poisha. `missing` is the message for a value
 * of another type, `refused` for one that is not an amount in the range.
 */
export function amountInput(
  { least, most, pattern }: AmountRange,
  missing: string,
  refused: (input: number | string, amount: Poisha | undefined) => string,
) {
  const bounds = { minimum: Number(least) / 100, maximum: Number(most) / 100, multipleOf: 0.01 };
  return z
    .union([z.number().meta(bounds), z.string().meta({ ...AMOUNT_LENGTH, pattern })], { error: missing })
    .transform((input, context) => {
      const amount = parseAmount(input);
      if (amount !== undefined && amount >= least && amount <= most) return amount;
      context.addIssue({ code: 'custom', message: refused(input, amount) });
      return z.NEVER;
    });
}
