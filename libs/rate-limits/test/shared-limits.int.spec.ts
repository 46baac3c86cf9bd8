import { eventually } from '@pay/testing';
import {
  ask,
  askAndCount,
  PER_SECOND,
  replicasUnderTest,
  sum,
  type Replica,
  type ReplicasUnderTest,
} from './replicas-under-test';

let stage: ReplicasUnderTest;
beforeEach(async () => {
  stage = await replicasUnderTest();
});
afterEach(() => stage.dispose());

const both = async (): Promise<[Replica, Replica]> => {
  const pair: [Replica, Replica] = [await stage.replica(), await stage.replica()];
  // The first replica reads the row of the second at its second exchange.
  for (const replica of [...pair, ...pair]) await replica.limits.exchange();
  return pair;
};

/** An unused limiter allows its replica's share of a full bucket. */
let probes = 0;
const partOf = ({ limits }: Replica): number => {
  const limiter = limits.limiter({ ...PER_SECOND, name: `probe ${(probes += 1)}` });
  let part = 0;
  while (limiter.take('nobody else').allowed) part += 1;
  return part;
};

describe('rate limits: a share leased from Postgres in the background', () => {
  it('two replicas with ten times the limit allow the limit together, plus at most one bucket', async () => {
    const [one, other] = await both();
    const seconds = 5;
    const asked = await Promise.all(
      [one, other].map(({ limits }) => ask(limits.limiter(PER_SECOND), 'key', 500, seconds)),
    );

    const perSecond = Array.from({ length: seconds }, (_, second) => sum(asked.map((each) => each[second] ?? 0)));
    // The bucket, its refill, and the requests that the second replica allows before it knows of the first.
    expect(sum(perSecond)).toBeLessThanOrEqual(100 + seconds * 100 + 100);
    expect(sum(perSecond)).toBeGreaterThanOrEqual(seconds * 100 * 0.9);
    // Over several seconds, because a busy machine may send few requests in one of them.
    expect(sum(perSecond.slice(2))).toBeGreaterThan(3 * 75);
    // Without leases each replica would allow the whole limit, twice as much; after a pause a process allows part of
    // its bucket.
    expect(sum(perSecond.slice(2))).toBeLessThan(3 * 150);
  });

  it('a replica that receives all requests allows nearly the whole limit', async () => {
    const [one, other] = await both();
    const limiter = one.limits.limiter(PER_SECOND);
    await Promise.all([ask(limiter, 'key', 1_000, 1), ask(other.limits.limiter(PER_SECOND), 'key', 1_000, 1)]);

    const admitted = await ask(limiter, 'key', 500, 6);
    // An equal share would be 100. What a pause at the end leaves is lost.
    expect(sum(admitted.slice(4))).toBeGreaterThan(140);
  });

  it('traffic below the limit at one of two replicas is never refused, and causes no statement while it is far below', async () => {
    const [one] = await both();
    const subjects = () => stage.db.query('select subject from rate_limit_leases');
    const limiter = one.limits.limiter(PER_SECOND);
    // More than half of its share, so that it is leased. On a busy machine the lease may arrive after the rest of the
    // share is used.
    const first = Array.from({ length: 30 }, () => limiter.take('near').allowed);
    await eventually(async () => (await subjects()).length === 2, 'the other replicas have read it');
    const near = await askAndCount(limiter, 'near', 90, 3);
    const far = await askAndCount(one.limits.limiter(PER_SECOND), 'far', 40, 1);
    expect(first).not.toContain(false);
    expect([near.refused, far.refused]).toEqual([0, 0]);
    // Near the limit, and not near it, on a machine of any speed.
    expect(sum(near.allowed)).toBeGreaterThan(150);
    expect(sum(far.allowed)).toBeLessThanOrEqual(41);

    // One row of the replicas and one of a subject.
    expect(await subjects()).toHaveLength(2);
  });

  it('the share of a replica that stops is available to others within a few seconds', async () => {
    const [one, other] = await both();
    // Some tokens are refilled while they are counted.
    expect(partOf(one)).toBeLessThan(75);

    await other.stop();
    await eventually(() => (partOf(one) >= 100 ? true : undefined), 'the other has the whole limit');
  });

  it('stores hashes of subjects, never addresses or ids, and deletes them', async () => {
    const [one] = await both();
    await ask(one.limits.limiter(PER_SECOND), '203.0.113.7', 1_000, 1);
    await one.limits.exchange();

    const rows = await stage.db.query<{ subject: string }>('select * from rate_limit_leases');
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain('203.0');

    await stage.db.execute(`update rate_limit_leases set keep_until = now() - interval '1 second'`);
    const third = await stage.replica();
    await eventually(
      async () => ((await third.db.query('select subject from rate_limit_leases')).length === 1 ? true : undefined),
      'unused subjects are deleted',
    );
  });
});

describe('rate limits while Postgres does not answer', () => {
  it('limits continue with the last share, then with an equal one, and are shared again afterwards', async () => {
    const [one] = await both();
    const limiter = one.limits.limiter(PER_SECOND);
    await ask(limiter, 'key', 500, 1);

    const locked = stage.db.transaction(async (tx) => {
      await tx.execute('lock table rate_limit_leases in access exclusive mode');
      const calls = { all: 0, slow: 0 };
      const watched: typeof limiter = {
        ...limiter,
        take(subject) {
          const begun = performance.now();
          const result = limiter.take(subject);
          calls.all += 1;
          if (performance.now() - begun > 1_000) calls.slow += 1;
          return result;
        },
      };
      const admitted = await ask(watched, 'key', 500, 8);
      // Postgres would have delayed each of them by two seconds; the machine may pause now and then.
      expect(calls.slow).toBeLessThan(calls.all / 10);
      expect(sum(admitted.slice(0, 3))).toBeGreaterThan(3 * 60);
      // After the lease of five seconds has expired.
      expect(sum(admitted.slice(6))).toBeGreaterThan(2 * 40);
      expect(sum(admitted.slice(6))).toBeLessThan(2 * 80);
    });
    await locked;

    await eventually(async () => sum(await ask(limiter, 'key', 500, 2)) > 150, 'the limit is shared by lease again');
  });

  it('limits continue when Postgres is gone', async () => {
    const [one] = await both();
    const limiter = one.limits.limiter(PER_SECOND);
    await one.loseDatabase();

    await expect(one.limits.exchange()).rejects.toThrow();
    expect(sum(await ask(limiter, 'key', 500, 2))).toBeGreaterThan(90);
  });
});
