import { followsAtOnce, type KnownPlace } from './balance-tip';

const MINUTE = 60_000;

function place(id: string, minute: number, balance: bigint, change: Partial<KnownPlace> = {}): KnownPlace {
  const at = new Date(minute * MINUTE);
  return { id, chainId: 'chain', at, balance, effects: [10n], known: [], isBeforeKnown: false, ...change };
}

const known = (minute: number, balance: bigint, isDoubted = false) => ({
  at: new Date(minute * MINUTE),
  balance,
  isDoubted,
});

describe('followsAtOnce', () => {
  it('accepts texts that continue each other, in any order of arrival', () => {
    const texts = [100n, 110n, 120n, 130n].map((balance, minute) => place(`text ${minute}`, minute, balance));
    const ids = texts.map(({ id }) => id);
    expect(followsAtOnce(texts)).toEqual(ids);
    expect(followsAtOnce([...texts].reverse()).sort()).toEqual(ids);
  });

  it('accepts a text that continues a known text of the same or previous minute, unless that text is doubted', () => {
    const after = (...texts: KnownPlace['known']) => followsAtOnce([place('text', 9, 110n, { known: texts })]);
    expect(after(known(9, 100n))).toEqual(['text']);
    expect(after(known(4, 100n))).toEqual(['text']);
    expect(after(known(4, 100n, true))).toEqual([]);
    expect(after(known(5, 990n), known(4, 100n))).toEqual([]);
  });

  it('accepts the first text of a chain, but not a text that is dated before the known ones', () => {
    expect(followsAtOnce([place('first', 5, 100n)])).toEqual(['first']);
    expect(followsAtOnce([place('early', 5, 100n, { isBeforeKnown: true })])).toEqual([]);
  });

  it('does not accept texts that continue only each other', () => {
    const forged = [place('one', 9, 910n), place('two', 9, 920n)];
    expect(followsAtOnce(forged.map((text) => ({ ...text, known: [known(8, 100n)] })))).toEqual([]);
  });

  it('does not compare texts of different chains', () => {
    const other = place('other', 1, 110n, { chainId: 'other', isBeforeKnown: true });
    expect(followsAtOnce([place('first', 0, 100n), other])).toEqual(['first']);
  });
});
