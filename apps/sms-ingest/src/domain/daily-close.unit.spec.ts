import fc from 'fast-check';
import { balanceFactsOf } from './balance-effects';
import { closeDay, type DayText } from './daily-close';
import type { Facts } from './parsed-sms';
import type { Poisha } from '@pay/contracts';

// The same in every run, so that no change fails by chance.
fc.configureGlobal({ seed: 20261121 });

const FROM = Date.parse('2026-11-21T00:00:00+06:00');
const TO = Date.parse('2026-11-22T00:00:00+06:00');
const MINUTE = 60_000;

interface Given {
  readonly kind?: Facts['kind'];
  readonly direction?: Facts['direction'];
  readonly amount?: bigint | null;
  readonly fee?: bigint;
  readonly commission?: bigint;
  readonly balance: bigint | null;
  /** Minutes after the midnight that the day begins with. */
  readonly minute: number;
  readonly trxId?: string;
  readonly change?: Partial<DayText>;
}

let made = 0;
function aText({ kind = 'SEND_MONEY_RECEIVED', direction = 'IN', ...given }: Given): DayText {
  made += 1;
  const at = FROM + given.minute * MINUTE;
  const amount = given.amount === undefined ? 500_00n : given.amount;
  const facts = balanceFactsOf({
    kind,
    direction,
    amount: amount as Poisha | null,
    fee: (given.fee ?? null) as Poisha | null,
    commission: (given.commission ?? null) as Poisha | null,
    balance: given.balance as Poisha | null,
    providerTime: new Date(at),
    trxId: given.trxId ?? `TRX${made}`,
  });
  if (facts === undefined) throw new Error(`a text of kind ${kind} that says nothing`);
  return {
    id: `text-${String(made).padStart(4, '0')}`,
    at,
    receivedAt: at + made,
    ...facts,
    continuity: 'FOLLOWS',
    direction,
    amount,
    isEvidence: kind === 'SEND_MONEY_RECEIVED',
    matchStatus: 'MATCHED',
    ...given.change,
  };
}

const close = (...texts: readonly DayText[]) => closeDay(texts, { from: FROM, to: TO });
const waiting = { change: { matchStatus: 'PENDING' } } as const;

/** From 1,000.00 to 1,934.63, with every kind of movement. */
function aDay(): DayText[] {
  return [
    aText({ minute: -30, balance: 1_000_00n }),
    aText({ minute: 1, balance: 1_500_00n }),
    aText({ minute: 2, amount: 200_50n, balance: 1_700_50n, ...waiting }),
    aText({ minute: 3, kind: 'CASH_IN_RECEIVED', amount: 100_00n, balance: 1_800_50n, ...waiting }),
    aText({ minute: 4, kind: 'SEND_MONEY_SENT', direction: 'OUT', amount: 300_00n, fee: 5_00n, balance: 1_495_50n }),
    // A fee that was shown and waived.
    aText({ minute: 5, kind: 'SEND_MONEY_SENT', direction: 'OUT', amount: 50_00n, fee: 5_00n, balance: 1_445_50n }),
    aText({ minute: 6, amount: 400_00n, fee: 7_40n, balance: 1_838_10n }),
    // A reserve and its success: one payment.
    aText({ minute: 7, kind: 'PAYMENT_RESERVED', direction: 'OUT', amount: 10_00n, balance: 1_828_10n, trxId: 'PAIR' }),
    aText({ minute: 8, kind: 'PAYMENT_SENT', direction: 'OUT', amount: 10_00n, balance: 1_828_10n, trxId: 'PAIR' }),
    aText({ minute: 10, kind: 'CASH_OUT_RECEIVED', amount: 100_00n, commission: 4_10n, balance: 1_932_20n }),
    // Its earlier balance follows only from the surrounding balances.
    aText({ minute: 11, kind: 'REFUND', direction: 'IN', amount: 3_00n, balance: 1_929_20n }),
    aText({ minute: 12, kind: 'INTEREST_RECEIVED', amount: 1_01n, balance: null }),
    aText({ minute: 1439, amount: 4_42n, balance: 1_934_63n }),
    aText({ minute: 1440, amount: 9_00n, balance: 1_943_63n }),
  ];
}

describe('a day of a wallet', () => {
  it('adds up to the poisha: opening + in - out - fees = closing', () => {
    const day = close(...aDay());

    expect(day).toMatchObject({
      opening: 1_000_00n,
      closing: 1_934_63n,
      expected: 1_934_63n,
      difference: 0n,
      matched: { count: 3, amount: 904_42n },
      unmatched: { count: 1, amount: 200_50n },
      otherIncoming: { count: 3, amount: 201_01n },
      outgoing: { count: 3, amount: 360_00n },
      fees: 12_40n,
      commissions: 4_10n,
      adjustments: -3_00n,
      doubtful: { count: 0, amount: 0n },
      duplicates: 0,
    });
    expect(day.withoutOrder.map(({ amount }) => amount)).toEqual([200_50n]);
  });

  it('is the same in any order of its texts', () => {
    const texts = aDay();
    const expected = close(...texts);
    const orders = fc.shuffledSubarray(texts, { minLength: texts.length });

    fc.assert(
      fc.property(orders, (published) => expect(close(...published)).toEqual(expected)),
      { numRuns: 100 },
    );
  });

  it('begins and ends at midnight in Bangladesh', () => {
    const texts = [
      aText({ minute: -1, balance: 100_00n, amount: 100_00n }),
      aText({ minute: 0, balance: 101_00n, amount: 1_00n }),
      aText({ minute: 1439, balance: 103_00n, amount: 2_00n }),
      aText({ minute: 1440, balance: 107_00n, amount: 4_00n }),
    ];

    expect(close(...texts)).toMatchObject({ opening: 100_00n, closing: 103_00n, matched: { count: 2, amount: 3_00n } });
  });

  it('uses the last text of the minute before it', () => {
    const minute = -1;
    const later = aText({ minute, balance: 300_00n, amount: 200_00n });
    const earlier = aText({ minute, balance: 100_00n, amount: 50_00n });
    const texts = [later, earlier, aText({ minute: 5, balance: 310_00n, amount: 10_00n })];

    expect(close(...texts)).toMatchObject({ opening: 300_00n, difference: 0n });
  });

  it('has the amount of lost texts as its difference', () => {
    const texts = aDay().filter(({ amount }) => amount !== 200_50n && amount !== 400_00n);

    // 200.50 came, and 400.00 less a fee of 7.40.
    expect(close(...texts)).toMatchObject({ closing: 1_934_63n, difference: 200_50n + 392_60n });
  });

  it('has the amount of a text that its surrounding balances skip as its difference', () => {
    const forged = aText({ minute: 13, amount: 9_000_00n, balance: 99_000_00n, change: { continuity: 'BREAK' } });

    expect(close(...aDay(), forged)).toMatchObject({
      opening: 1_000_00n,
      closing: 1_934_63n,
      difference: -9_000_00n,
      doubtful: { count: 1, amount: 9_000_00n },
      matched: { count: 4, amount: 9_904_42n },
    });
  });

  it('counts money once if two texts report it', () => {
    const again = aText({ minute: 1, balance: 1_500_00n, change: { matchStatus: 'DUPLICATE' } });

    expect(close(...aDay(), again)).toMatchObject({ difference: 0n, matched: { count: 3 }, duplicates: 1 });
  });

  it('without texts has the balance of the previous day, and none before the first text', () => {
    expect(close(aText({ minute: -5000, balance: 7_00n }))).toMatchObject({
      texts: 0,
      opening: 7_00n,
      closing: 7_00n,
      difference: 0n,
    });
    expect(close()).toMatchObject({ opening: null, closing: null, expected: null, difference: null });
    expect(close(aText({ minute: 5, balance: 507_00n }))).toMatchObject({ opening: 7_00n, difference: 0n });
  });

  it.each(['PENDING', 'REVIEW_REQUIRED', 'FAILED', 'EXPIRED', 'REJECTED', null] as const)(
    'has money without an order while its match is %s',
    (matchStatus) => {
      const day = close(aText({ minute: 5, balance: 507_00n, change: { matchStatus } }));

      expect(day).toMatchObject({ matched: { count: 0 }, unmatched: { count: 1, amount: 500_00n } });
    },
  );
});
