import fc from 'fast-check';
import { checkChain } from './balance-chain';
import { fitAtOnce, type KnownPlace, type KnownText } from './balance-tip';

const MINUTE = 60_000;

function place(id: string, minute: number, balance: bigint, change: Partial<KnownPlace> = {}): KnownPlace {
  const at = new Date(minute * MINUTE);
  return { id, chainId: 'chain', at, balance, effects: [10n], known: [], later: [], isLaterCut: false, ...change };
}

const known = (minute: number, balance: bigint, isDoubted = false): KnownText => ({
  at: new Date(minute * MINUTE),
  balance,
  effects: [10n],
  isDoubted,
});

describe('fitAtOnce', () => {
  it('accepts texts that continue each other, in any order of arrival', () => {
    const texts = [100n, 110n, 120n, 130n].map((balance, minute) => place(`text ${minute}`, minute, balance));
    const ids = texts.map(({ id }) => id);
    expect(fitAtOnce(texts)).toEqual(ids);
    expect(fitAtOnce([...texts].reverse()).sort()).toEqual(ids);
  });

  it('accepts a text that continues a known text of the same or previous minute, unless that text is doubted', () => {
    const after = (...texts: KnownPlace['known']) => fitAtOnce([place('text', 9, 110n, { known: texts })]);
    expect(after(known(9, 100n))).toEqual(['text']);
    expect(after(known(4, 100n))).toEqual(['text']);
    expect(after(known(4, 100n, true))).toEqual([]);
    expect(after(known(5, 990n), known(4, 100n))).toEqual([]);
  });

  it('accepts the first text of a chain, but not a text that is dated before the known ones', () => {
    expect(fitAtOnce([place('first', 5, 100n)])).toEqual(['first']);
    expect(fitAtOnce([place('early', 5, 100n, { later: [known(9, 990n)] })])).toEqual([]);
  });

  it('does not accept texts that continue only each other', () => {
    const forged = [place('one', 9, 910n), place('two', 9, 920n)];
    expect(fitAtOnce(forged.map((text) => ({ ...text, known: [known(8, 100n)] })))).toEqual([]);
  });

  it('does not compare texts of different chains', () => {
    const other = place('other', 1, 110n, { chainId: 'other', later: [known(9, 990n)] });
    expect(fitAtOnce([place('first', 0, 100n), other])).toEqual(['first']);
  });

  it('does not accept a text that is dated back and leads to no later text', () => {
    const chain = { known: [known(0, 1000n)], later: [known(10, 1010n), known(20, 1020n)] };
    const forged = place('forged', 1, 1900n, { effects: [900n], ...chain });
    expect(fitAtOnce([forged])).toEqual([]);
    expect(fitAtOnce([{ ...forged, at: new Date(10 * MINUTE) }])).toEqual([]);
    // Its continuation is forged too, new or stored.
    expect(fitAtOnce([forged, place('next', 2, 1910n, chain)])).toEqual([]);
    expect(fitAtOnce([{ ...forged, later: [known(2, 1910n, true), ...chain.later] }])).toEqual([]);
    // It copies the effect of the next text.
    expect(fitAtOnce([place('copy', 1, 1010n, chain)])).toEqual([]);
  });

  it('accepts a late text that leads to the next text, over others of its minute and new ones', () => {
    const chain = { known: [known(0, 100n), known(5, 120n)], later: [known(9, 140n)] };
    expect(fitAtOnce([place('before', 5, 110n, chain), place('after', 7, 130n, chain)])).toEqual(['before', 'after']);
    expect(fitAtOnce([place('alone', 5, 110n, chain)])).toEqual(['alone']);
    expect(fitAtOnce([place('after', 7, 130n, chain)])).toEqual(['after']);
  });

  it('accepts a late text while all later texts are doubted, unless more of them exist than were read', () => {
    const late = place('late', 5, 110n, { known: [known(0, 100n)], later: [known(9, 150n, true)] });
    expect(fitAtOnce([late])).toEqual(['late']);
    expect(fitAtOnce([{ ...late, isLaterCut: true }])).toEqual([]);
  });

  it('compares a late text with no later text whose effect is unknown', () => {
    const later = [{ ...known(9, 900n), effects: [] }];
    expect(fitAtOnce([place('late', 5, 110n, { known: [known(0, 100n)], later })])).toEqual(['late']);
  });
});

interface Sent {
  readonly id: string;
  readonly at: number;
  readonly balance: bigint;
  readonly effects: readonly bigint[];
}
interface Stored extends Sent {
  readonly isDoubted: boolean;
  readonly isExamined: boolean;
}

/** The stored texts after a request with these texts has been answered; doubts are those of the intake. */
function takeIn(stored: readonly Stored[], request: readonly Sent[]): Stored[] {
  const knownOf = (texts: readonly Stored[]) => texts.map((text) => ({ ...text, at: new Date(text.at) }));
  const places = request.map((text): KnownPlace => {
    const later = stored.filter(({ at }) => at > text.at).sort((one, other) => one.at - other.at);
    const rest = { chainId: 'chain', later: knownOf(later.slice(0, 20)), isLaterCut: later.length >= 20 };
    return { ...text, at: new Date(text.at), known: knownOf(stored.filter(({ at }) => at <= text.at)), ...rest };
  });
  const accepted = new Set(fitAtOnce(places));
  return [...stored, ...request.map((text) => ({ ...text, isDoubted: !accepted.has(text.id), isExamined: false }))];
}

/** The stored texts after the balance worker has examined them. */
function examined(stored: readonly Stored[]): Stored[] {
  const whole = { isBegin: true, isEnd: true };
  const texts = stored.map((text) => ({ ...text, receivedAt: text.at, pair: null }));
  const checked = new Map(checkChain(texts, [], whole).map((each) => [each.id, each]));
  return stored.map((text) => {
    const { continuity, isCloseToGap, leadsToGap } = checked.get(text.id)!;
    const isAsked = !text.isExamined || text.isDoubted;
    const isDoubted = continuity === 'BREAK' || (isAsked && isCloseToGap) || (text.isDoubted && leadsToGap);
    return { ...text, isDoubted, isExamined: true };
  });
}

const honestDays = fc
  .array(fc.record({ wait: fc.nat({ max: 2 }), effect: fc.bigInt({ min: 1n, max: 900_000n }) }), {
    minLength: 3,
    maxLength: 18,
  })
  .map((texts) => {
    let [at, balance] = [0, 1_000_000n];
    return texts.map(({ wait, effect }, place): Sent => {
      at += wait * MINUTE;
      balance += effect;
      return { id: `text ${place}`, at, balance, effects: [effect] };
    });
  });

describe('honest texts that arrive out of order', () => {
  const shuffled = (texts: readonly Sent[], keys: readonly number[]) =>
    texts
      .map((text, place) => ({ text, key: keys[place % keys.length] ?? 0 }))
      .sort((one, other) => one.key - other.key)
      .map(({ text }) => text);
  const keys = fc.array(fc.nat(), { minLength: 1 });

  it('have no doubt once all of them have arrived, in requests of any size', () => {
    fc.assert(
      fc.property(honestDays, keys, fc.integer({ min: 1, max: 6 }), (day, order, size) => {
        let stored: Stored[] = [];
        const arriving = shuffled(day, order);
        for (let sent = 0; sent < arriving.length; sent += size)
          stored = examined(takeIn(stored, arriving.slice(sent, sent + size)));
        expect(stored.filter(({ isDoubted }) => isDoubted)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('are never doubted when a phone sends all that it held back in one request, in any order', () => {
    fc.assert(
      fc.property(honestDays, keys, fc.nat(), fc.nat(), (day, order, begin, length) => {
        const from = 1 + (begin % (day.length - 2));
        const until = from + 1 + (length % (day.length - from - 1));
        const before = examined(takeIn([], day.slice(0, from)));
        const stored = day.slice(until).reduce((all, text) => examined(takeIn(all, [text])), before);
        const late = takeIn(stored, shuffled(day.slice(from, until), order)).slice(stored.length);
        expect(late.filter(({ isDoubted }) => isDoubted)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });
});

describe('a forged text that is dated back', () => {
  it('is doubted at its arrival, and stays doubted until a text explains the difference', () => {
    fc.assert(
      fc.property(honestDays, fc.nat(), fc.bigInt({ min: 1n, max: 900_000n }), (day, place, amount) => {
        const [lead, next] = [place % (day.length - 1), (place % (day.length - 1)) + 1].map((each) => day[each]!);
        const balances = new Set(day.map(({ balance }) => balance));
        fc.pre(lead!.at < next!.at && !balances.has(lead!.balance + amount));
        const forged = { id: 'forged', at: lead!.at, balance: lead!.balance + amount, effects: [amount] };
        const isDoubted = (stored: readonly Stored[]) => stored.find(({ id }) => id === 'forged')?.isDoubted;
        const stored = takeIn(examined(takeIn([], day)), [forged]);
        expect(isDoubted(stored)).toBe(true);
        expect(isDoubted(examined(stored))).toBe(true);
        const sent = { ...forged, id: 'sent', balance: lead!.balance, effects: [-amount] };
        expect(isDoubted(examined(takeIn(examined(stored), [sent])))).toBe(false);
      }),
      { numRuns: 400 },
    );
  });
});
