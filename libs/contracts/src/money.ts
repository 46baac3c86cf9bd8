/** An amount in poisha (1 BDT = 100 poisha). The only form in which money is compared, added or stored. */
export type Poisha = bigint & { readonly __poisha: unique symbol };

/** Largest amount an intent may ask for: 9,999,999.99 BDT. */
export const MAX_INTENT_AMOUNT = 999_999_999n as Poisha;

const DECIMAL = /^(\d{1,15})(?:\.(\d{1,2}))?$/;

/**
 * Reads a BDT amount of up to two decimals, as a number or as text of digits ("500", "500.5", "500.50").
 * Returns undefined for anything else: signs, exponents, thousands separators, more than two decimals.
 * A number is read through its shortest text, so binary noise such as 0.1 + 0.2 is refused instead of rounded.
 */
export function parseAmount(input: string | number): Poisha | undefined {
  const match = DECIMAL.exec(typeof input === 'number' ? String(input) : input);
  if (match?.[1] === undefined) return undefined;
  return (BigInt(match[1]) * 100n + BigInt((match[2] ?? '').padEnd(2, '0'))) as Poisha;
}

/** Reads an amount that our own schemas have already validated; throws a RangeError on anything else. */
export function amountFromWire(text: string): Poisha {
  const amount = parseAmount(text);
  if (amount === undefined) throw new RangeError('not a BDT amount of up to two decimals');
  return amount;
}

/** The shortest decimal text of an amount in BDT: 50000n is "500", 50050n is "500.5". */
export function formatAmount(amount: bigint): string {
  const whole = amount / 100n;
  const rest = amount % 100n;
  if (rest === 0n) return whole.toString();
  return `${whole}.${rest.toString().padStart(2, '0').replace(/0$/, '')}`;
}
