import { newId, randomBelow } from './random';

describe('random numbers', () => {
  it('are uniform below a bound that is not a power of two', () => {
    const counts = new Array<number>(7).fill(0);
    const draws = 70_000;
    for (let draw = 0; draw < draws; draw += 1) {
      const value = randomBelow(7);
      counts[value] = (counts[value] ?? 0) + 1;
    }

    expect(counts).toHaveLength(7);
    // Chi squared with 6 degrees of freedom exceeds 49 once in 130 million runs.
    const expected = draws / 7;
    expect(counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)).toBeLessThan(49);
  });
});

describe('newId', () => {
  it('returns distinct, increasing UUIDs of version 7 with the current time', () => {
    const before = Date.now();
    const ids = Array.from({ length: 5_000 }, newId);

    expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
      true,
    );
    expect(new Set(ids).size).toBe(5_000);
    expect([...ids].sort()).toEqual(ids);
    const time = parseInt(ids[0]?.replace('-', '').slice(0, 12) ?? '', 16);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
  });
});
