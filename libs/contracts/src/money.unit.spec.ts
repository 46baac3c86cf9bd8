import fc from 'fast-check';
import { amountFromWire, formatAmount, MAX_INTENT_AMOUNT, parseAmount } from './money';

describe('parseAmount', () => {
  it.each<[string | number, bigint]>([
    [500, 50_000n],
    ['500', 50_000n],
    ['500.5', 50_050n],
    [500.05, 50_005n],
    ['0.01', 1n],
    [0.1, 10n],
    [19.99, 1_999n],
    ['9999999.99', 999_999_999n],
    [9_999_999.99, 999_999_999n],
    ['007', 700n],
    [-0, 0n],
  ])('parses %p as %p poisha', (input, poisha) => {
    expect(parseAmount(input)).toBe(poisha);
  });

  it.each([
    0.1 + 0.2,
    1.005,
    1e21,
    1e-7,
    -5,
    NaN,
    Infinity,
    '',
    ' 500',
    '500 ',
    '+500',
    '-1',
    '1,000.00',
    '1e3',
    '0x10',
    '1.234',
    '.5',
    '5.',
    '৫০০',
    '５００',
    '500\n',
    '1'.repeat(16),
  ])('rejects %p instead of rounding it', (input) => {
    expect(parseAmount(input)).toBeUndefined();
  });

  it('parses every amount that formatAmount returns', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 99_999_999_999_999_999n), (poisha) => {
        expect(parseAmount(formatAmount(poisha))).toBe(poisha);
      }),
    );
  });

  it('parses a number and its string to the same amount, for every amount of an intent', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, MAX_INTENT_AMOUNT), (poisha) => {
        expect(parseAmount(Number(formatAmount(poisha)))).toBe(poisha);
      }),
    );
  });

  it('rejects a sum of two amounts exactly when it has a floating-point error', () => {
    const amount = fc.integer({ min: 1, max: 999_999 }).map((poisha) => poisha / 100);
    fc.assert(
      fc.property(amount, amount, (a, b) => {
        const sum = a + b;
        const read = parseAmount(sum);
        expect(read === undefined ? sum : Number(formatAmount(read))).toBe(sum);
      }),
    );
  });
});

describe('formatAmount', () => {
  it.each([
    [50_000n, '500'],
    [50_050n, '500.5'],
    [50_005n, '500.05'],
    [1n, '0.01'],
    [10n, '0.1'],
    [0n, '0'],
    [999_999_999n, '9999999.99'],
  ])('formats %p as the shortest decimal %p', (poisha, text) => {
    expect(formatAmount(poisha)).toBe(text);
  });
});

describe('amountFromWire', () => {
  it('throws for a value that violates the amount schema', () => {
    expect(() => amountFromWire('1.234')).toThrow(RangeError);
  });
});
