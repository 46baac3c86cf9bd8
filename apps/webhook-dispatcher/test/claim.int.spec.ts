import type { Database } from '@pay/persistence';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { claimDue, countDue, oldestFirstAttempts, type ClaimRoom } from '../src/delivery/delivery-repository';
import { countActive, countBroken } from '../src/endpoints/endpoint-health-repository';
import { endpointsToNotify } from '../src/endpoints/endpoint-repository';
import { IDLE_ROOM, openBeforeAll } from './open-before-all';

failOnLeaks();

const merchantId = uuidv7();
/** More than a claim has slots. */
const MANY = 250;

interface Group {
  readonly endpoints: number;
  readonly isFailing?: boolean;
  /** Of each endpoint. */
  readonly deliveries: readonly { readonly attempt: number; readonly dueSecondsAgo: number }[];
}

describe('a claim with more endpoints than slots', () => {
  let db: Database;
  openBeforeAll((opened) => (db = opened));

  beforeEach(() => db.execute('truncate endpoints, deliveries, attempts, recoveries'));

  async function insert({ endpoints, isFailing = false, deliveries }: Group): Promise<ReadonlySet<string>> {
    const ids = Array.from({ length: endpoints }, () => uuidv7());
    await db.execute(
      `insert into endpoints (id, merchant_id, environment, url, event_types, sealed_secret, failing_since)
       select id, $2, 'SANDBOX', 'https://a.example', '{payment.paid}', 'x', case when $3 then now() end from unnest($1::uuid[]) id`,
      [ids, merchantId, isFailing],
    );
    await db.execute(
      `insert into deliveries (id, endpoint_id, merchant_id, environment, event_id, event_type, occurred_at, idempotency_key, body,
         status, attempt, next_attempt_at)
       select gen_random_uuid(), endpoint_id, $2, 'SANDBOX', endpoint_id, 'webhook.test', now(), gen_random_uuid()::text, '{}',
         case when attempt > 0 then 'RETRYING' else 'PENDING' end, attempt, now() - make_interval(secs => seconds)
       from unnest($1::uuid[]) endpoint_id, unnest($3::int[], $4::int[]) d (attempt, seconds)`,
      [ids, merchantId, deliveries.map(({ attempt }) => attempt), deliveries.map(({ dueSecondsAgo }) => dueSecondsAgo)],
    );
    return new Set(ids);
  }
  const byEnvironment = async (count: typeof countActive) =>
    Object.fromEntries((await count(db)).map(({ environment, value }) => [environment, value]));
  /** The number of claimed deliveries of each group. */
  const claim = async (room: Partial<ClaimRoom>, ...groups: ReadonlySet<string>[]): Promise<number[]> => {
    const claimed = await claimDue(db, uuidv7(), { ...IDLE_ROOM, ...room }, ['LIVE']);
    return groups.map((group) => claimed.filter(({ endpointId }) => group.has(endpointId)).length);
  };

  const FIRST = { attempt: 0, dueSecondsAgo: 1 };
  const REPEATED = Array.from({ length: 20 }, () => ({ attempt: 3, dueSecondsAgo: 60 }));

  test('leases first attempts to healthy endpoints when failing ones with older deliveries have used up their slots', async () => {
    const failing = await insert({ endpoints: MANY, isFailing: true, deliveries: [{ attempt: 3, dueSecondsAgo: 60 }] });
    const healthy = await insert({ endpoints: 1, deliveries: [FIRST, FIRST, FIRST] });

    expect(await claim({ unreserved: 0 }, failing, healthy)).toEqual([0, 3]);
  });

  test('leases first attempts to failing endpoints in unreserved slots only', async () => {
    const failing = await insert({ endpoints: MANY, isFailing: true, deliveries: [{ attempt: 0, dueSecondsAgo: 60 }] });
    const healthy = await insert({ endpoints: 60, deliveries: [FIRST] });

    expect(await claim({}, failing, healthy)).toEqual([150, 50]);
  });

  test('leases first attempts to a healthy endpoint when others have older repeated attempts without slots', async () => {
    const repeated = await insert({ endpoints: MANY, deliveries: [{ attempt: 1, dueSecondsAgo: 60 }] });
    const healthy = await insert({ endpoints: 1, deliveries: [FIRST] });

    expect(await claim({ unreserved: 0 }, repeated, healthy)).toEqual([0, 1]);
  });

  test('leases first attempts to a healthy endpoint that also has a repeated attempt without a slot', async () => {
    const failing = await insert({ endpoints: MANY, isFailing: true, deliveries: [{ attempt: 3, dueSecondsAgo: 60 }] });
    const healthy = await insert({ endpoints: 1, deliveries: [{ attempt: 1, dueSecondsAgo: 30 }, FIRST] });

    expect(await claim({ unreserved: 0 }, failing, healthy)).toEqual([0, 1]);
  });

  test.each([
    [3, [1, 1, 1, 4, 4, 4, 4, 4]],
    [20, [1, 1, 1, 1, 1, 1, 1, 4]],
  ])(
    'leases %i first attempts before older repeated ones, which keep at least one of several slots',
    async (count, attempts) => {
      await insert({ endpoints: 1, deliveries: [...REPEATED, ...Array.from({ length: count }, () => FIRST)] });

      // In this order they are sent.
      expect((await claimDue(db, uuidv7(), IDLE_ROOM, ['LIVE'])).map(({ attempt }) => attempt)).toEqual(attempts);
    },
  );

  test.each([
    [false, false, 1, [1]],
    [true, false, 1, [4]],
    [true, false, 2, [1, 4]],
    [true, true, 1, [1]],
  ])(
    'leases the oldest delivery in a single slot when the claim prefers it (%p), except as the probe (%p): %i slots',
    async (isOldestPreferred, isBroken, room, attempts) => {
      const [id] = await insert({ endpoints: 1, deliveries: [...REPEATED, FIRST, FIRST] });
      if (isBroken) await db.execute('update endpoints set breaker_until = now()');
      const named = new Map([[id!, room]]);

      const claimed = await claimDue(db, uuidv7(), { ...IDLE_ROOM, named, isOldestPreferred }, ['LIVE']);
      expect(claimed.map(({ attempt }) => attempt)).toEqual(attempts);
    },
  );

  test('probes an endpoint with a first attempt rather than with an older repeated one', async () => {
    await insert({ endpoints: 1, isFailing: true, deliveries: [...REPEATED, FIRST] });
    await db.execute('update endpoints set breaker_until = now()');

    expect(await claimDue(db, uuidv7(), IDLE_ROOM, ['LIVE'])).toMatchObject([{ attempt: 1, trigger: 'probe' }]);
  });

  test('reports an endpoint as drained when no first attempt of it is left due', async () => {
    const drained = await insert({ endpoints: 1, deliveries: [{ attempt: 1, dueSecondsAgo: 30 }, FIRST] });
    const full = await insert({ endpoints: 1, deliveries: Array.from({ length: 9 }, () => FIRST) });
    const failing = await insert({ endpoints: 1, isFailing: true, deliveries: [FIRST] });
    const claimed = await claimDue(db, uuidv7(), { ...IDLE_ROOM, unreserved: 1 }, ['LIVE']);
    const flagsOf = (group: ReadonlySet<string>): boolean[] => [
      ...new Set(claimed.filter(({ endpointId }) => group.has(endpointId)).map(({ isDrained }) => isDrained)),
    ];

    expect([drained, full, failing].map(flagsOf)).toEqual([[true], [false], []]);
  });

  test('due deliveries of endpoints that are verified and have no open breaker are counted', async () => {
    const counted = await insert({ endpoints: 2, deliveries: [FIRST, FIRST] });
    await db.execute('update endpoints set is_verified = true where id = any($1)', [[...counted]]);
    await insert({ endpoints: 1, deliveries: [FIRST] });
    const broken = await insert({ endpoints: 3, isFailing: true, deliveries: [FIRST] });
    await db.execute('update endpoints set is_verified = true, breaker_until = now() where id = any($1)', [
      [...broken],
    ]);

    expect(await countDue(db)).toBe(4);
  });

  test('of an endpoint with a long backlog 200 due deliveries are counted: more wait for its own slots', async () => {
    const long = await insert({ endpoints: 2, deliveries: Array.from({ length: 201 }, () => FIRST) });
    const short = await insert({ endpoints: 1, deliveries: Array.from({ length: 199 }, () => FIRST) });
    await db.execute('update endpoints set is_verified = true where id = any($1)', [[...long, ...short]]);

    expect(await countDue(db)).toBe(599);
  });

  test('starts slowly after a recovery, and as usual after one that is in the future by a clock that stepped back', async () => {
    const backlog = Array.from({ length: 9 }, () => FIRST);
    const [recent] = await insert({ endpoints: 1, deliveries: backlog });
    const [future] = await insert({ endpoints: 1, deliveries: backlog });
    // One transaction, in which no time passes.
    const { planned, claimed } = await db.transaction(async (tx) => {
      await tx.execute(
        `update endpoints set recovered_at = now() + case when id = $1 then interval '1 hour' else interval '0' end`,
        [future],
      );
      return {
        planned: await endpointsToNotify(tx, [merchantId], ['LIVE']),
        claimed: await claimDue(tx, uuidv7(), IDLE_ROOM, ['LIVE']),
      };
    });
    const ofEach = (id: string | undefined) => ({
      isHeldBack: planned.find((each) => each.id === id)?.isHeldBack,
      claimed: claimed.filter(({ endpointId }) => endpointId === id).length,
    });

    expect(ofEach(recent)).toEqual({ isHeldBack: true, claimed: 1 });
    expect(ofEach(future)).toEqual({ isHeldBack: false, claimed: 8 });
  });

  test('the oldest first attempt is that of an endpoint that only the dispatcher keeps waiting', async () => {
    const dueFor = (dueSecondsAgo: number, attempt = 0) => ({ attempt, dueSecondsAgo });
    const waiting = await insert({
      endpoints: 2,
      deliveries: [dueFor(500, 1), dueFor(70), dueFor(30), dueFor(-900, 1)],
    });
    const [deleted, inactive] = await insert({ endpoints: 2, deliveries: [dueFor(100)] });
    const inFlight = await insert({ endpoints: 1, deliveries: [dueFor(200), dueFor(-10, 1)] });
    const failing = await insert({ endpoints: 1, isFailing: true, deliveries: [dueFor(300)] });
    await db.execute('update endpoints set is_verified = true, deleted_at = case when id = $1 then now() end', [
      deleted,
    ]);
    await db.execute('update endpoints set is_active = false where id = $1', [inactive]);
    await db.execute(
      'update deliveries set lease_owner = gen_random_uuid() where endpoint_id = any($1) and next_attempt_at > now()',
      [[...inFlight]],
    );
    await insert({ endpoints: 1, deliveries: [dueFor(400)] });
    const ages = async () => {
      const [{ now } = { now: new Date() }] = await db.query<{ now: Date }>('select now()');
      const found = await oldestFirstAttempts(db);
      return found.map(({ environment, oldest }) => [
        environment,
        Math.round((now.getTime() - oldest.getTime()) / 10_000),
      ]);
    };

    expect(await ages()).toEqual([['SANDBOX', 7]]);
    await db.execute('update endpoints set failing_since = null where id = any($1)', [[...failing]]);
    expect(await ages()).toEqual([['SANDBOX', 30]]);
    await db.execute('delete from deliveries where attempt = 0 and endpoint_id = any($1)', [[...waiting, ...failing]]);
    expect(await ages()).toEqual([]);
  });

  test('returns the cause of each attempt', async () => {
    const causes = async (set: string) => {
      await db.execute('truncate endpoints, deliveries, attempts, recoveries');
      await insert({ endpoints: 1, deliveries: [FIRST] });
      await db.execute(set);
      return (await claimDue(db, uuidv7(), IDLE_ROOM, ['LIVE'])).map(({ trigger }) => trigger);
    };

    expect(await causes('select 1')).toEqual(['schedule']);
    expect(await causes(`update deliveries set next_trigger = 'recover'`)).toEqual(['recover']);
    expect(await causes('update deliveries set resends = 1')).toEqual(['resend']);
    expect(await causes('update endpoints set breaker_until = now()')).toEqual(['probe']);
  });

  test('a redelivery that was requested during an attempt whose worker died restarts the schedule', async () => {
    await insert({ endpoints: 1, deliveries: [{ attempt: 18, dueSecondsAgo: 0 }] });
    await db.execute('update deliveries set lease_owner = gen_random_uuid(), resends = 1');

    expect(await claimDue(db, uuidv7(), IDLE_ROOM, ['LIVE'])).toMatchObject([{ attempt: 19, scheduleFrom: 18 }]);
    expect(await db.query('select resends from deliveries')).toEqual([{ resends: 0 }]);
  });

  test.each([
    ['failed early', true, 2],
    ['has a number that the version before has left', false, 0],
  ])('counts the early failures of a delivery that %s (%p): %i', async (_, failedEarly, expected) => {
    await insert({ endpoints: 1, deliveries: [{ attempt: 3, dueSecondsAgo: 1 }] });
    await db.execute(
      `update deliveries set planned_at = now() + interval '1 day', early_failures = 2, failed_early = $1`,
      [failedEarly],
    );

    expect(await claimDue(db, uuidv7(), IDLE_ROOM, ['LIVE'])).toMatchObject([{ earlyFailures: expected }]);
  });

  test.each([
    ['before its last attempt', '-2 hours', 2],
    ['after its last attempt', '-30 minutes', 0],
    ['in the future by a clock that stepped back', '30 minutes', 2],
  ])(
    'a delivery whose merchant requested a recovery %s (%s) has %i early failures',
    async (_, requestedIn, expected) => {
      await insert({ endpoints: 1, deliveries: [{ attempt: 3, dueSecondsAgo: 1 }] });
      await db.execute(
        `update deliveries set planned_at = now() + interval '1 day', early_failures = 2, failed_early = true`,
      );
      await db.execute(
        `insert into attempts (delivery_id, attempt, trigger, started_at, worker_id)
       select id, number, 'schedule', now() - make_interval(hours => 4 - number), id from deliveries, generate_series(1, 3) number`,
      );
      await db.execute('update endpoints set recovery_requested_at = now() + $1::interval', [requestedIn]);

      expect(await claimDue(db, uuidv7(), IDLE_ROOM, ['LIVE'])).toMatchObject([{ earlyFailures: expected }]);
      await db.execute(`update deliveries set next_attempt_at = now() - interval '1 second'`);
      // After the lease of a process that has ended.
      expect(await claimDue(db, uuidv7(), IDLE_ROOM, ['LIVE'])).toMatchObject([{ earlyFailures: expected }]);
    },
  );

  test.each([
    ['is switched off', 'waits for its scheduled time', 'is_active = false', 'RETRYING', true],
    ['is not verified', 'is held', `environment = 'LIVE'`, 'RETRYING', false],
    ['is switched off and not verified', 'is held', `is_active = false, environment = 'LIVE'`, 'RETRYING', false],
    ['is switched off and deleted', 'has failed', 'is_active = false, deleted_at = now()', 'FAILED', false],
  ])(
    'a delivery that is due early is not sent to an endpoint that %s, and %s',
    async (_, __, set, status, isScheduled) => {
      await insert({ endpoints: 1, deliveries: [{ attempt: 3, dueSecondsAgo: 1 }] });
      await db.execute(
        `update deliveries set planned_at = now() + interval '1 day', failed_early = true, early_failures = 2`,
      );
      await db.execute(`update endpoints set ${set}`);

      expect(await claimDue(db, uuidv7(), IDLE_ROOM, ['LIVE'])).toEqual([]);
      expect(
        await db.query(
          `select status, planned_at, coalesce(next_attempt_at > now() + interval '23 hours', false) as "isScheduled" from deliveries`,
        ),
      ).toEqual([{ status, planned_at: null, isScheduled }]);
    },
  );

  test('broken endpoints are counted by environment until they are switched off or deleted', async () => {
    const [deleted, inactive, live] = await insert({ endpoints: 4, isFailing: true, deliveries: [] });
    await db.execute('update endpoints set breaker_until = now()');
    await db.execute(`update endpoints set environment = 'LIVE' where id = $1`, [live]);
    expect(await byEnvironment(countBroken)).toEqual({ LIVE: 1, SANDBOX: 3 });

    await db.execute('update endpoints set deleted_at = now() where id = $1', [deleted]);
    await db.execute('update endpoints set is_active = false where id = $1', [inactive]);
    expect(await byEnvironment(countBroken)).toEqual({ LIVE: 1, SANDBOX: 1 });
  });

  test('active endpoints are the verified ones that are neither switched off nor deleted, by environment', async () => {
    const [unverified, deleted, inactive] = await insert({ endpoints: 5, deliveries: [] });
    await db.execute(`update endpoints set is_verified = true, environment = 'LIVE'`);
    await insert({ endpoints: 1, isFailing: true, deliveries: [] });
    expect(await byEnvironment(countActive)).toEqual({ LIVE: 5 });

    await db.execute('update endpoints set is_verified = false where id = $1', [unverified]);
    await db.execute('update endpoints set deleted_at = now() where id = $1', [deleted]);
    await db.execute('update endpoints set is_active = false where id = $1', [inactive]);
    await db.execute('update endpoints set is_verified = true where failing_since is not null');
    expect(await byEnvironment(countActive)).toEqual({ LIVE: 2, SANDBOX: 1 });
  });
});
