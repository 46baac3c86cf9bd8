import fc from 'fast-check';
import { shareOf } from './share';

describe('shares', () => {
  it('are 1 for the only active replica', () => {
    expect(shareOf({ a: [3, 0] }, 'a', 100)).toBe(1);
    expect(shareOf({ a: [1_000, 0] }, 'a', 100)).toBe(1);
  });

  it('are in proportion to the requests beyond the limit', () => {
    const demands = { a: [300, 0], b: [100, 0] } as const;
    expect(shareOf(demands, 'a', 100)).toBe(0.75);
    expect(shareOf(demands, 'b', 100)).toBe(0.25);
  });

  it('divide the unused rest equally', () => {
    const demands = { a: [50, 0], b: [10, 0] } as const;
    expect(shareOf(demands, 'a', 100)).toBeCloseTo(0.7);
    expect(shareOf(demands, 'b', 100)).toBeCloseTo(0.3);
  });

  it('add up to one, except for the small minimum of each replica', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.01, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 12 }),
        fc.double({ min: 0.1, max: 10_000, noNaN: true }),
        (asked, refill) => {
          const demands = Object.fromEntries(asked.map((perSecond, index) => [`r${index}`, [perSecond, 0] as const]));
          const shares = Object.keys(demands).map((replica) => shareOf(demands, replica, refill));
          const sum = shares.reduce((one, other) => one + other, 0);
          expect(sum).toBeGreaterThan(0.999);
          expect(sum).toBeLessThan(1.001 + 0.01 * asked.length);
          expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.01);
        },
      ),
      { seed: 20261121, numRuns: 500 },
    );
  });
});
