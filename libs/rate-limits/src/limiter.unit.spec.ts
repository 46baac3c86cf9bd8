import fc from 'fast-check';
import type { Limit } from './limit';
import { knownNames } from './known-names';
import { createLimiter, type Limiter } from './limiter';

const PER_SECOND: Limit = { name: 'api_key_live', count: 100, seconds: 1 };
const PER_MINUTE: Limit = { name: 'checkout_view', count: 60, seconds: 60 };

function limiterUnderTest(limit: Limit, replicas = 1) {
  const clock = { now: 1_000 };
  let woken = 0;
  const limiter = createLimiter(limit, {
    replica: 'one',
    replicas: () => replicas,
    clock: () => clock.now,
    wake: () => (woken += 1),
  });
  const allowedOf = (requests: number, subject = 'key') =>
    Array.from({ length: requests }, () => limiter.take(subject).allowed).filter(Boolean).length;
  return { clock, limiter, allowedOf, woken: () => woken };
}

const seeded = { seed: 20261121, numRuns: 100 };
const limits = fc.record({
  name: fc.constant('any'),
  // At least as long as there are replicas, because refilling a token of each then takes longer than the window.
  count: fc.integer({ min: 6, max: 3_000 }),
  seconds: fc.constantFrom(1, 60, 300),
});
const bursts = fc.array(
  fc.record({ after: fc.integer({ min: 0, max: 20_000 }), requests: fc.integer({ min: 1, max: 400 }) }),
  { maxLength: 20 },
);

describe('a limiter', () => {
  it('never allows more than the refill of the time plus one bucket', () => {
    fc.assert(
      fc.property(limits, bursts, (limit, played) => {
        const { clock, allowedOf } = limiterUnderTest(limit);
        const begun = clock.now;
        let admitted = 0;
        for (const { after, requests } of played) {
          clock.now += after;
          admitted += allowedOf(requests);
          const cameBack = ((clock.now - begun) / 1_000) * (limit.count / limit.seconds);
          expect(admitted).toBeLessThanOrEqual(limit.count + cameBack + 1e-3);
        }
      }),
      seeded,
    );
  });

  it('has a full bucket after a pause of the length of its window', () => {
    fc.assert(
      fc.property(limits, bursts, (limit, played) => {
        const { clock, allowedOf } = limiterUnderTest(limit);
        for (const { after, requests } of played) {
          clock.now += after;
          allowedOf(requests);
        }
        clock.now += limit.seconds * 1_000;
        expect(allowedOf(limit.count)).toBe(limit.count);
      }),
      seeded,
    );
  });

  it('returns an exact wait: a request after it is allowed, an earlier one is not', () => {
    fc.assert(
      fc.property(limits, bursts, fc.integer({ min: 1, max: 6 }), (limit, played, replicas) => {
        const { clock, limiter, allowedOf } = limiterUnderTest(limit, replicas);
        for (const { after, requests } of played) {
          clock.now += after;
          allowedOf(requests);
        }
        allowedOf(limit.count + 1);
        const { allowed, retryAfterMs } = limiter.take('key');
        expect(allowed).toBe(false);
        clock.now += retryAfterMs * 0.9;
        expect(limiter.take('key').allowed).toBe(false);
        clock.now += retryAfterMs * 0.1;
        expect(limiter.take('key').allowed).toBe(true);
      }),
      seeded,
    );
  });

  it('returns the remaining requests and when the whole limit is available again', () => {
    const { clock, limiter, allowedOf } = limiterUnderTest(PER_SECOND);
    expect(limiter.take('key')).toEqual({ allowed: true, remaining: 99, retryAfterMs: 0, resetMs: 10 });
    allowedOf(99);
    expect(limiter.take('key')).toEqual({ allowed: false, remaining: 0, retryAfterMs: 10, resetMs: 1_000 });
    clock.now += 500;
    expect(limiter.take('key')).toMatchObject({ allowed: true, remaining: 49 });
  });

  it('counts each subject separately', () => {
    const { allowedOf } = limiterUnderTest(PER_SECOND);
    expect(allowedOf(1_000, 'noisy')).toBe(100);
    expect(allowedOf(100, 'quiet')).toBe(100);
  });

  it('drops subjects in a flood and stays within its bound', () => {
    const limiter = createLimiter(PER_MINUTE, {
      replica: 'one',
      replicas: () => 1,
      clock: () => 0,
      wake: () => undefined,
      mostSubjects: 2_000,
    });
    for (let number = 0; number < 50_000; number += 1) limiter.take(`10.0.${number >> 8}.${number & 255}`);
    expect(limiter.size).toBeLessThanOrEqual(2_000);
  });

  it('undoes a counted request', () => {
    const { limiter, allowedOf } = limiterUnderTest(PER_MINUTE);
    for (let number = 0; number < 600; number += 1) {
      expect(limiter.take('key').allowed).toBe(true);
      limiter.undoTake('key');
    }
    expect(limiter.spent('key')).toBeUndefined();
    expect(allowedOf(100)).toBe(60);
    expect(limiter.spent('key')).toMatchObject({ allowed: false, remaining: 0 });
    expect(limiter.spent('nobody')).toBeUndefined();
  });
});

describe('a limiter with several replicas', () => {
  it('allows an equal share before it has a lease, and requests a lease at half of it', () => {
    const { limiter, allowedOf, woken } = limiterUnderTest(PER_SECOND, 4);
    expect(allowedOf(12)).toBe(12);
    expect(limiter.due(10)).toEqual([]);
    expect(woken()).toBe(0);

    expect(allowedOf(88)).toBe(13);
    expect(woken()).toBe(1);
    const [due] = limiter.due(10);
    expect(due?.report).toMatchObject({ subject: 'key', spent: 25, perSecond: 500 });
    expect(limiter.due(10)).toEqual([]);
  });

  it('always allows at least one request, whatever the number of replicas', () => {
    const { limiter } = limiterUnderTest({ ...PER_MINUTE, count: 10 }, 40);
    expect(limiter.take('intent').allowed).toBe(true);
  });

  it('has the rest of the bucket as soon as it knows that it is the only one', () => {
    const { clock, limiter, allowedOf } = limiterUnderTest(PER_MINUTE, 3);
    expect(allowedOf(20)).toBe(20);
    const [due] = limiter.due(10);
    due?.settle({ used: 20, demands: { one: [20, 0] } });
    expect(allowedOf(100)).toBe(40);
    clock.now += 4_000;
    expect(allowedOf(100)).toBe(4);
  });

  it('pays back what the replicas together allowed too much', () => {
    const { clock, limiter, allowedOf } = limiterUnderTest(PER_MINUTE, 2);
    allowedOf(30);
    const [due] = limiter.due(10);
    due?.settle({ used: 70, demands: { one: [30, 0] } });
    expect(limiter.take('key')).toMatchObject({ allowed: false, retryAfterMs: 11_000 });
    clock.now += 11_000;
    expect(allowedOf(10)).toBe(1);
  });

  it('counts requests that it allowed during an exchange', () => {
    const { limiter, allowedOf } = limiterUnderTest(PER_MINUTE, 2);
    allowedOf(20);
    const [due] = limiter.due(10);
    allowedOf(5);
    due?.settle({ used: 50, demands: { one: [30, 0] } });
    expect(allowedOf(100)).toBe(5);
    expect(limiter.due(10)[0]?.report.spent).toBe(10);
  });

  it('keeps its lease for a while without a report, then has an equal share again', () => {
    const { clock, limiter, allowedOf } = limiterUnderTest(PER_SECOND, 4);
    allowedOf(25);
    limiter.due(10)[0]?.settle({ used: 25, demands: { one: [100, 0] } });
    allowedOf(100);
    clock.now += 1_000;
    expect(allowedOf(200)).toBe(100);
    limiter.due(10)[0]?.fail();
    clock.now += 3_500;
    expect(allowedOf(200)).toBe(100);
    clock.now += 1_000;
    allowedOf(200);
    clock.now += 10_000;
    expect(allowedOf(200)).toBe(25);
  });

  it('reports later what it could not report, minus the refill since then', () => {
    const { clock, limiter, allowedOf } = limiterUnderTest(PER_MINUTE, 1);
    allowedOf(60);
    const [due] = limiter.due(10);
    clock.now += 9_000;
    due?.fail();
    allowedOf(60);
    expect(limiter.due(10)[0]?.report.spent).toBeCloseTo(59);
  });
});

describe('subjects that callers may have invented', () => {
  const CONFIRMS: Limit = { name: 'checkout_confirm', count: 10, seconds: 60 };

  function flood(limiter: Limiter, count: number): void {
    for (let index = 0; index < count; index += 1) limiter.take(`invented ${index}`, false);
  }

  it('do not displace a known one, whatever their number', () => {
    const { limiter, allowedOf } = limiterUnderTest(CONFIRMS);
    expect(allowedOf(20, 'real')).toBe(10);

    flood(limiter, 200_000);

    expect(allowedOf(20, 'real')).toBe(0);
    expect(limiter.size).toBeLessThanOrEqual(100_000);
  });

  it('have a limit each, and keep their count when they become known', () => {
    const { limiter, allowedOf } = limiterUnderTest(CONFIRMS);
    const asked = Array.from({ length: 8 }, () => limiter.take('first seen', false).allowed);
    expect(asked).not.toContain(false);

    expect(allowedOf(20, 'first seen')).toBe(2);
    flood(limiter, 200_000);
    expect(allowedOf(20, 'first seen')).toBe(0);
    expect(limiter.take('first seen', false).allowed).toBe(false);
  });

  it('are not reported to other replicas, so that they do not delay reports of known ones', () => {
    const { limiter, allowedOf } = limiterUnderTest(CONFIRMS);
    for (let index = 0; index < 10; index += 1) flood(limiter, 2_000);
    expect(limiter.due(10_000)).toEqual([]);

    allowedOf(8, 'real');
    expect(limiter.due(10_000).map(({ report }) => report.subject)).toEqual(['real']);
  });
});

describe('known names', () => {
  it('are dropped ten to twenty minutes after they were noted, and not displaced by look-ups of others', () => {
    const clock = { now: 0 };
    const names = knownNames(() => clock.now);
    names.note('real');
    for (let index = 0; index < 300_000; index += 1) names.has(`invented ${index}`);
    expect(names.has('real')).toBe(true);

    clock.now += 21 * 60_000;
    expect(names.has('real')).toBe(false);
  });
});
