import { amountFromWire, formatAmount } from '@pay/contracts';

/** Received minus expected, as an amount without a sign. Undefined if they are equal. */
export function difference(expected: string, received: string): { amount: string; isMore: boolean } | undefined {
  const poisha = amountFromWire(received) - amountFromWire(expected);
  if (poisha === 0n) return undefined;
  return { amount: formatAmount(poisha < 0n ? -poisha : poisha), isMore: poisha > 0n };
}
