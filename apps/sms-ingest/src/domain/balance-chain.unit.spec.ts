import fc from 'fast-check';
import { checkChain, type CheckedText, type LooseText } from './balance-chain';
import { balanceFactsOf } from './balance-effects';
import type { BalanceText } from './balance-order';
import { factsOf } from './parsing/grammar';
import type { Facts } from './parsed-sms';
import type { Poisha } from '@pay/contracts';

// The same in every run, so that no change fails by chance.
fc.configureGlobal({ seed: 20261121 });

const MINUTE = 60_000;
const WHOLE = { isBegin: true, isEnd: true };

/** One movement of a wallet's day. `moves` is its true effect on the balance. */
interface Movement {
  readonly kind: Facts['kind'];
  readonly direction: Facts['direction'];
  readonly amount: bigint;
  readonly fee?: bigint;
  readonly commission?: bigint;
  readonly moves: bigint;
  readonly showsBalance?: false;
}

interface Sent {
  readonly id: string;
  readonly at: number;
  readonly receivedAt: number;
  readonly before: bigint;
  readonly after: bigint;
  readonly text: BalanceText | null;
  readonly loose: LooseText | null;
}

const amount = fc.bigInt({ min: 100n, max: 5_000_000n });
const fee = fc.bigInt({ min: 1n, max: 2_000n });
const WITH_BALANCE: fc.Arbitrary<Movement> = fc.oneof(
  amount.map((a): Movement => ({ kind: 'SEND_MONEY_RECEIVED', direction: 'IN', amount: a, fee: 0n, moves: a })),
  amount.map((a): Movement => ({ kind: 'PAYMENT_RECEIVED', direction: 'IN', amount: a, moves: a })),
  fc
    .tuple(amount, fee)
    .map(([a, f]): Movement => ({ kind: 'PAYMENT_RECEIVED', direction: 'IN', amount: a, fee: f, moves: a - f })),
  amount.map((a): Movement => ({ kind: 'CASH_IN_RECEIVED', direction: 'IN', amount: a, moves: a })),
  fc
    .tuple(amount, fee)
    .map(([a, c]): Movement => ({ kind: 'CASH_OUT_RECEIVED', direction: 'IN', amount: a, commission: c, moves: a })),
  fc
    .tuple(amount, fee)
    .map(([a, f]): Movement => ({ kind: 'SEND_MONEY_SENT', direction: 'OUT', amount: a, fee: f, moves: -a - f })),
  fc
    .tuple(amount, fee)
    .map(([a, f]): Movement => ({ kind: 'CASH_OUT_SENT', direction: 'OUT', amount: a, fee: f, moves: -a - f })),
  amount.map((a): Movement => ({ kind: 'PAYMENT_SENT', direction: 'OUT', amount: a, moves: -a })),
  amount.map((a): Movement => ({ kind: 'RECHARGE', direction: 'OUT', amount: a, fee: 0n, moves: -a })),
  amount.map((a): Movement => ({ kind: 'CASHBACK_RECEIVED', direction: 'IN', amount: a, moves: a })),
  amount.map((a): Movement => ({ kind: 'MONEY_RETURNED', direction: 'IN', amount: a, moves: a })),
  fc.constant<Movement>({ kind: 'BALANCE', direction: 'NONE', amount: 0n, moves: 0n }),
);
const ANY = fc.oneof(
  { arbitrary: WITH_BALANCE, weight: 6 },
  fc.tuple(amount, fee).map(([a, f]): Movement => ({
    kind: 'BILL_PAID',
    direction: 'OUT',
    amount: a,
    fee: f,
    moves: -a - f,
    showsBalance: false,
  })),
  amount.map((a): Movement => ({
    kind: 'CASHBACK_RECEIVED',
    direction: 'IN',
    amount: a,
    moves: a,
    showsBalance: false,
  })),
);

const sum = (written: bigint | undefined) => (written ?? null) as Poisha | null;

/** The most texts of a day, and the minutes between two texts, each with the same probability. */
const USUAL = { texts: 25, waits: [0, 0, 0, 1, 1, 2, 30] };

/**
 * A day of texts in their true order; several texts of one minute have the same time. A phone may receive those in any
 * order, except where lost texts or missing balances make the order undeterminable.
 */
const days = (movements: fc.Arbitrary<Movement>, got: 'in order' | 'in any order', size = USUAL) =>
  fc
    .array(fc.record({ movement: movements, wait: fc.constantFrom(...size.waits), delay: fc.nat({ max: 50_000 }) }), {
      minLength: 3,
      maxLength: size.texts,
      size: 'max',
    })
    .map((steps) => {
      let balance = 900_000_000n;
      let minute = 0;
      return steps.map(({ movement, wait, delay }, place): Sent => {
        minute += wait;
        const before = balance;
        balance += movement.moves;
        const at = minute * MINUTE;
        const facts = factsOf(movement.kind, movement.direction, {
          amount: sum(movement.amount),
          fee: sum(movement.fee),
          commission: sum(movement.commission),
          balance: movement.showsBalance === false ? null : sum(balance),
          providerTime: new Date(at),
        });
        const published = balanceFactsOf(facts);
        const id = `text ${String(place).padStart(3, '0')}`;
        const seen = { id, at, receivedAt: at + (got === 'in order' ? place : delay) };
        const shown = published?.balance ?? null;
        return {
          ...seen,
          before,
          after: balance,
          text:
            published && shown !== null ? { ...seen, balance: shown, effects: published.effects, pair: null } : null,
          loose: published && shown === null ? { id, at, effects: published.effects } : null,
        };
      });
    })
    // Excludes balances that recur by chance and amounts that other texts add up to.
    .filter((day) => {
      const seen = [...new Set(day.map(({ after }) => after)), day[0]?.before];
      const readings = day.flatMap(({ text, before }) =>
        (text?.effects ?? []).map((effect) => text!.balance - effect).filter((each) => each !== before),
      );
      const stays = day.filter(({ before, after }) => before === after).length;
      return new Set(seen).size === day.length + 1 - stays && readings.every((each) => !seen.includes(each));
    });

function check(texts: readonly Sent[]): CheckedText[] {
  return checkChain(
    texts.flatMap(({ text }) => text ?? []),
    texts.flatMap(({ loose }) => loose ?? []),
    WHOLE,
  );
}

/** Any order, with texts possibly repeated. */
function delivered(texts: readonly Sent[], seed: readonly number[]): Sent[] {
  return texts
    .map((text, place) => ({ text, key: seed[place % seed.length] ?? 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ text }) => text);
}

/** The true gaps: between each text and the next received text with a balance. */
function trueGaps(day: readonly Sent[], lost: ReadonlySet<string>) {
  const gaps: { amount: bigint; from: number; to: number }[] = [];
  let last: Sent | undefined;
  for (const text of day.filter(({ id, text: shown }) => shown !== null && !lost.has(id))) {
    const between =
      last === undefined ? [] : day.slice(day.indexOf(last) + 1, day.indexOf(text)).filter(({ id }) => lost.has(id));
    const missing = between.reduce((total, each) => total + each.after - each.before, 0n);
    if (last !== undefined && missing !== 0n) gaps.push({ amount: missing, from: last.at, to: text.at });
    last = text;
  }
  return gaps;
}

const gapsOf = (checked: readonly CheckedText[]) => checked.flatMap(({ gap }) => gap ?? []);

const LOST = fc.array(fc.nat({ max: 24 }), { maxLength: 8 });
const SEED = fc.array(fc.nat(), { minLength: 1 });
const idsAt = (day: readonly Sent[], places: readonly number[]) =>
  new Set(places.flatMap((place) => day[place]?.id ?? []));

describe('the balance chain of a wallet', () => {
  it('finds exactly the sums of the lost texts in any order of arrival of the others', () => {
    fc.assert(
      fc.property(days(WITH_BALANCE, 'in order'), LOST, SEED, (day, places, seed) => {
        const lost = idsAt(day, places);
        const checked = check(
          delivered(
            day.filter(({ id }) => !lost.has(id)),
            seed,
          ),
        );

        expect(gapsOf(checked)).toEqual(trueGaps(day, lost));
        expect(checked.filter(({ continuity }) => continuity === 'BREAK')).toEqual([]);
      }),
      { numRuns: 600 },
    );
  });

  it('has no gap when all texts have arrived, including texts without a balance', () => {
    fc.assert(
      fc.property(fc.oneof(days(ANY, 'in order'), days(WITH_BALANCE, 'in any order')), SEED, (day, seed) => {
        const checked = check(delivered(day, seed));
        expect(checked.filter(({ continuity }) => continuity === 'GAP' || continuity === 'BREAK')).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('finds a forged text between two genuine ones, and calls no genuine one forged', () => {
    const forged = fc.record({
      place: fc.nat(),
      amount,
      balance: fc.bigInt({ min: 1n, max: 700_000_000n }),
      wait: fc.constantFrom(0, 1),
    });
    fc.assert(
      fc.property(
        days(WITH_BALANCE, 'in any order'),
        forged,
        SEED,
        (day, { place, amount: claimed, balance, wait }, seed) => {
          const at = day[place % (day.length - 1)]!;
          const next = day[(place % (day.length - 1)) + 1]!;
          const time = Math.min(at.at + wait * MINUTE, next.at);
          const text = { id: 'forged', at: time, receivedAt: at.receivedAt, balance, effects: [claimed], pair: null };
          const known = new Set(day.flatMap(({ before, after }) => [before, after]));
          fc.pre(day[0]!.at < time && time < day.at(-1)!.at);
          fc.pre(!known.has(balance) && !known.has(balance - claimed));
          const checked = check(delivered([...day, { ...at, ...text, text, loose: null }], seed));

          expect(checked.filter(({ continuity }) => continuity === 'BREAK').map(({ id }) => id)).toEqual(['forged']);
          expect(gapsOf(checked)).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('gives a text the same result, with whichever whole minutes the stretch that is looked at begins and ends', () => {
    fc.assert(
      fc.property(
        days(WITH_BALANCE, 'in any order', { texts: 90, waits: [...Array<number>(12).fill(0), 1] }),
        fc.array(fc.nat({ max: 89 }), { maxLength: 8 }),
        fc.array(fc.record({ place: fc.nat(), balance: fc.bigInt({ min: 1n, max: 700_000_000n }) }), { maxLength: 8 }),
        fc.nat({ max: 3 }),
        fc.nat({ max: 3 }),
        (day, places, invented, begin, end) => {
          const lost = idsAt(day, places);
          const forged = invented.map(({ place, balance }, n): BalanceText => {
            const { at, receivedAt } = day[place % day.length]!;
            return { id: `forged ${n}`, at, receivedAt, balance, effects: [100n], pair: null };
          });
          const honest = day.filter(({ id }) => !lost.has(id)).flatMap(({ text }) => text ?? []);
          const came = [...honest, ...forged].sort((a, b) => a.at - b.at);
          const whole = new Map(checkChain(came, [], WHOLE).map((each) => [each.id, each]));
          const minutes = [...new Set(came.map(({ at }) => at))];
          const seen = new Set(minutes.slice(begin, minutes.length - end));
          const part = came.filter(({ at }) => seen.has(at));
          for (const each of checkChain(part, [], { isBegin: begin === 0, isEnd: end === 0 })) {
            expect(each).toEqual(whole.get(each.id));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('treats the text that leads to the next minute as the last of its minute, in any order of arrival', () => {
    const unrelated = { ...aText(5, 51_000n, [1_000n]), id: 'unrelated', receivedAt: 5 * MINUTE + 9 };
    const last = aText(5, 26_000n, [6_000n]);
    const checked = checkChain([aText(0, 10_000n, [1n]), unrelated, last, aText(9, 27_000n, [1_000n])], [], WHOLE);
    expect(checked.map(({ id, continuity }) => `${id} ${continuity}`)).toEqual([
      'text 0 FIRST',
      'unrelated GAP',
      'text 5 GAP',
      'text 9 FOLLOWS',
    ]);
  });

  it('doubts three texts after a gap, so that a forged text is not confirmed by the next forged one', () => {
    const texts = [100n, 950n, 960n, 970n, 980n].map((balance, place) =>
      aText(place, balance, [place === 0 ? 100n : 10n]),
    );
    expect(checkChain(texts, [], WHOLE).map(({ continuity, isCloseToGap }) => [continuity, isCloseToGap])).toEqual([
      ['FIRST', true],
      ['GAP', true],
      ['FOLLOWS', true],
      ['FOLLOWS', true],
      ['FOLLOWS', false],
    ]);
  });

  it('accepts the success of a reserved payment, also when the text before it is lost', () => {
    const reserved = { ...aText(1, 58_400n, [-41_600n]), pair: 'DI162Q01ZM' };
    const success = { ...aText(9, 108_400n, [-41_600n, 0n]), pair: 'DI162Q01ZM' };
    const checked = checkChain([aText(0, 100_000n, [1n]), reserved, success], [], WHOLE);
    expect(gapsOf(checked)).toEqual([{ amount: 50_000n, from: MINUTE, to: 9 * MINUTE }]);
  });

  it('subtracts the amount of a text without balance from the missing sum', () => {
    const bill = { id: 'bill', at: 5 * MINUTE, effects: [-50_500n] };
    const checked = checkChain([aText(0, 100_000n, [1n]), aText(9, 99_600n, [100n])], [bill], WHOLE);
    expect(gapsOf(checked)).toEqual([{ amount: 50_000n, from: 0, to: 9 * MINUTE }]);
  });

  it('doubts up to three texts that begin the chain before a gap, so that a forged text is not trusted by its early date', () => {
    const doubted = (balances: readonly bigint[]) =>
      checkChain(
        balances.map((balance, place) => aText(place, balance, [10n])),
        [],
        WHOLE,
      ).map(({ isCloseToGap }) => isCloseToGap);
    expect(doubted([100n, 950n, 960n, 970n, 980n])).toEqual([true, true, true, true, false]);
    expect(doubted([100n, 110n, 120n, 950n])).toEqual([true, true, true, true]);
    expect(doubted([100n, 110n, 120n, 130n, 950n])).toEqual([false, false, false, false, true]);
  });

  it('explains a gap by the smallest set of texts without balance', () => {
    const near = [-300n, -200n, -500n].map((effect, place) => ({
      id: `${place}`,
      at: 1,
      effects: [effect, effect - 5n],
    }));
    const texts = [aText(0, 100_000n, [1n]), aText(9, 99_600n, [100n])];
    expect(gapsOf(checkChain(texts, near, WHOLE))).toEqual([]);
  });

  it('tries a bounded number of combinations, also if many texts of one minute have gaps and no balance', () => {
    let asked = 0;
    const near = Array.from({ length: 40 }, (_, place): LooseText => {
      const amount = BigInt(1_000 + 7 ** (place % 8));
      const effects = [-amount, -amount - 1n, 0n];
      return {
        id: `loose ${place}`,
        at: 0,
        get effects() {
          asked += 1;
          return effects;
        },
      };
    });
    const texts = Array.from({ length: 240 }, (_, place) => ({
      ...aText(0, BigInt((place + 1) * 1_000_003), [10n]),
      id: `text ${place}`,
      receivedAt: place,
    }));
    expect(gapsOf(checkChain(texts, near, WHOLE))).toHaveLength(239);
    expect(asked).toBeLessThan(20_000);
  });

  it('does not compare a text whose earlier balance is unknown', () => {
    const loan = aText(1, 89_798n, []);
    expect(
      checkChain([aText(0, 500n, [1n]), loan, aText(2, 89_898n, [100n])], [], WHOLE).map(
        ({ continuity }) => continuity,
      ),
    ).toEqual(['FIRST', 'FOLLOWS', 'FOLLOWS']);
  });
});

function aText(minute: number, balance: bigint, effects: readonly bigint[]): BalanceText {
  return { id: `text ${minute}`, at: minute * MINUTE, receivedAt: minute * MINUTE, balance, effects, pair: null };
}
