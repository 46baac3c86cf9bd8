import { compareSequences, contentHash, isSamePair, latestEpoch } from './compare-sequences';

describe('compareSequences', () => {
  it.each([
    ['a greater number of one epoch is newer', { epoch: 1, sequence: 3 }, { epoch: 1, sequence: 2 }, 1],
    ['the same pair is the same', { epoch: 1, sequence: 2 }, { epoch: 1, sequence: 2 }, 0],
    [
      'a number that is used again in a greater epoch is newer',
      { epoch: 2, sequence: 2 },
      { epoch: 1, sequence: 2 },
      1,
    ],
    ['a smaller number of a greater epoch is newer', { epoch: 2, sequence: 1 }, { epoch: 1, sequence: 9 }, 1],
    ['without an epoch on one side the numbers decide', { sequence: 3 }, { epoch: 7, sequence: 2 }, 1],
    ['a null epoch is none', { epoch: 7, sequence: 2 }, { epoch: null, sequence: 2 }, 0],
    ['without epochs the numbers decide', { sequence: 1 }, { sequence: 2 }, -1],
  ])('%s', (_, one, other, sign) => {
    expect(Math.sign(compareSequences(one, other))).toBe(sign);
    expect(Math.sign(compareSequences(other, one))).toBe(sign === 0 ? 0 : -sign);
  });
});

describe('latestEpoch', () => {
  it('returns the greater of two epochs, the known one if the other is null, and null for two nulls', () => {
    expect(latestEpoch({ epoch: 2, sequence: 1 }, { epoch: 3, sequence: 1 })).toBe(3);
    expect(latestEpoch({ epoch: 2, sequence: 1 }, { sequence: 1 })).toBe(2);
    expect(latestEpoch({ sequence: 1 }, { epoch: null, sequence: 1 })).toBeNull();
  });
});

describe('isSamePair', () => {
  it('returns false for an unknown epoch and a known epoch', () => {
    expect(isSamePair({ epoch: null, sequence: 1 }, { sequence: 1 })).toBe(true);
    expect(isSamePair({ epoch: 1, sequence: 1 }, { sequence: 1 })).toBe(false);
  });
});

describe('contentHash', () => {
  it('returns a 32-bit number that depends on every field and its position', () => {
    const hash = contentHash(['a', 'b', null]);

    expect(hash).toBe(contentHash(['a', 'b', null]));
    expect(hash).toBe(hash | 0);
    expect(
      new Set([hash, contentHash(['b', 'a', null]), contentHash(['ab', null]), contentHash(['a', 'b', 0])]).size,
    ).toBe(4);
  });
});
