import { takeTurns } from './take-turns';

describe('takeTurns', () => {
  it('runs as many as allowed, lets others wait in order, and sends the rest away', async () => {
    const inTurn = takeTurns({ atOnce: 2, waiting: 2 });
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const work = (name: number) =>
      inTurn(async () => {
        begun.push(name);
        await new Promise<void>((end) => ends.push(end));
        return name;
      });
    const settled = () => new Promise(setImmediate);

    const all = [work(1), work(2), work(3), work(4)];
    await expect(work(5)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(begun).toEqual([1, 2]);
    ends[0]!();
    await settled();
    expect(begun).toEqual([1, 2, 3]);
    for (let next = 1; next < 4; next++) {
      ends[next]!();
      await settled();
    }

    await expect(Promise.all(all)).resolves.toEqual([1, 2, 3, 4]);
  });

  it('goes on after work that fails', async () => {
    const inTurn = takeTurns({ atOnce: 1, waiting: 1 });
    const failing = inTurn(() => Promise.reject(new Error('no')));

    await Promise.all([expect(failing).rejects.toThrow('no'), expect(inTurn(async () => 1)).resolves.toBe(1)]);
  });
});
