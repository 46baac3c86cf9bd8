import { separateTwins } from './twins';

function message(id: string, ...fingerprints: string[]) {
  return { id, fingerprints };
}

describe('twins in one group', () => {
  it('do not exist where no fingerprint is shared', () => {
    const messages = [message('a', '1', '2'), message('b', '3')];
    expect(separateTwins(messages)).toEqual({
      firsts: [
        { message: messages[0], fingerprints: ['1', '2'] },
        { message: messages[1], fingerprints: ['3'] },
      ],
      firstOf: [0, 1],
    });
  });

  it('belong to the first, which gets their fingerprints', () => {
    const messages = [message('a', '1'), message('b', '2', '1'), message('c', '3'), message('d', '2')];
    expect(separateTwins(messages)).toEqual({
      firsts: [
        { message: messages[0], fingerprints: ['1', '2'] },
        { message: messages[2], fingerprints: ['3'] },
      ],
      firstOf: [0, 0, 1, 0],
    });
  });

  it('belong to one first only, also when they resemble two', () => {
    const messages = [message('a', '1'), message('b', '2'), message('c', '1', '2')];
    expect(separateTwins(messages).firstOf).toEqual([0, 1, 0]);
  });

  it('never leave a fingerprint with two owners', () => {
    const messages = Array.from({ length: 50 }, (_, n) => message(`m${n}`, `c${n % 7}`, `t${n % 5}`));
    const { firsts } = separateTwins(messages);
    const all = firsts.flatMap(({ fingerprints }) => fingerprints);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBe(12);
  });
});
