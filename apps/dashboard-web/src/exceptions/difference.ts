const SCALE = 100n;

function poishaOf(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole) * SCALE + BigInt(fraction.padEnd(2, '0').slice(0, 2));
}

/** Received minus expected, as an amount without a sign. Undefined if they are equal. */
export function difference(expected: string, received: string): { amount: string; isMore: boolean } | undefined {
  const poisha = poishaOf(received) - poishaOf(expected);
  if (poisha === 0n) return undefined;
  const size = poisha < 0n ? -poisha : poisha;
  return { amount: `${size / SCALE}.${String(size % SCALE).padStart(2, '0')}`, isMore: poisha > 0n };
}
