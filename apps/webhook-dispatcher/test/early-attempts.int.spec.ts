import { eventually, failOnLeaks } from '@pay/testing';
import { pullForward } from '../src/recovery/due-again-repository';
import { makeEarlyProbesDue } from '../src/recovery/early-probe-repository';
import { anEvent } from './service-under-test';
import { aSignal, stage, TIME_SCALE } from './stage';

failOnLeaks();

describe('early attempts', () => {
  const on = stage();

  const HALF_OPEN = 'failing_since = now(), breaker_failures = 9, breaker_wait = 1, breaker_until = now()';
  const breakOpen = (id: string): Promise<number> =>
    on.service.db.execute(`update endpoints set ${HALF_OPEN} where id = $1`, [id]);
  /** Sends one early probe. If it fails, the timer of the service sends no other one. */
  const probeOnce = (id: string): Promise<void> =>
    on.service.db.transaction(async (tx) => {
      await tx.execute(`update endpoints set early_probes_from = null, ${HALF_OPEN} where id = $1`, [id]);
      await makeEarlyProbesDue(tx, [], 0);
      await tx.execute(`update endpoints set early_probes_from = now() + interval '1 hour' where id = $1`, [id]);
    });

  test('notices that an endpoint works again although its only delivery is due in a day', async () => {
    const id = await on.register();
    const { id: deliveryId } = await on.failOnce();
    on.shop.respondWith(() => ({ status: 200 }));
    await breakOpen(id);

    expect(await on.settled('DELIVERED')).toMatchObject({ id: deliveryId });
    expect((await on.attemptsOf(deliveryId)).at(-1)).toMatchObject({ trigger: 'probe', outcome: 'SUCCESS' });
    expect(await on.endpointRow(id)).toMatchObject({ breaker_until: null, failing_since: null });
  });

  test('early probes do not change the schedule of a delivery', async () => {
    const id = await on.register();
    const before = await on.failOnce();
    on.shop.respondWith(() => ({ status: 503 }));
    // SANDBOX has six attempts.
    for (let probe = 1; probe <= 6; probe += 1) {
      await probeOnce(id);
      await eventually(async () => {
        const attempts = await on.attemptsOf(before.id);
        return attempts.length === before.attempt + probe && attempts.at(-1)!['outcome'] !== null;
      }, `probe ${probe} is made`);
    }
    const [after] = await on.service.db.query<any>('select * from deliveries where id = $1', [before.id]);

    expect(after).toMatchObject({ status: 'RETRYING', next_attempt_at: before.next_attempt_at, planned_at: null });
    expect(after.attempt - after.schedule_from).toBe(before.attempt);
  });

  /** With a response to another event. */
  const comeBack = async (id: string): Promise<void> => {
    await on.service.db.execute(
      `update endpoints set failing_since = now(), breaker_wait = 1, breaker_until = now() + interval '1 hour' where id = $1`,
      [id],
    );
    await on.service.announce(anEvent('intent.expired', on.merchant));
    await eventually(async () => (await on.deliveries('?status=PENDING')).length === 1, 'another event waits');
    await on.service.db.execute('update endpoints set breaker_until = now() where id = $1', [id]);
    await eventually(async () => (await on.deliveries('?status=PENDING')).length === 0, 'it is delivered');
    await eventually(
      async () =>
        (await on.service.db.query('select from recoveries where endpoint_id = $1 and finished_at is null', [id]))
          .length === 0,
      'the recovery is over',
    );
  };

  const gapAfter = (sent: number): number =>
    on.shop.requests[sent]!.receivedAtMs - on.shop.requests[sent - 1]!.receivedAtMs;
  /** Scheduled attempts since the last restart of the schedule. */
  const placeOf = async (deliveryId: string): Promise<number> => {
    const [row] = await on.service.db.query<{ place: number }>(
      'select attempt - schedule_from as place from deliveries where id = $1',
      [deliveryId],
    );
    return row!.place;
  };
  const sentEarly = (before: { id: string; attempt: number }, times: number) =>
    eventually(async () => {
      const attempts = await on.attemptsOf(before.id);
      return attempts.length === before.attempt + times && attempts.at(-1)!['outcome'] !== null;
    }, `it was sent early ${times} times`);

  test('a delivery that always fails is sent early as its schedule begins, once until its scheduled time, and again on request', async () => {
    const id = await on.register();
    const before = await on.failOnce();
    // Does not pause the endpoint.
    on.shop.respondWith(({ headers }) => ({ status: headers['x-webhook-event'] === 'payment.paid' ? 400 : 200 }));
    const stored = async () =>
      (await on.service.db.query<any>('select * from deliveries where id = $1', [before.id]))[0];
    const unchanged = { status: 'RETRYING', next_attempt_at: before.next_attempt_at, planned_at: null };

    // SANDBOX has six attempts.
    await comeBack(id);
    await sentEarly(before, 6);
    await comeBack(id);
    expect(await stored()).toMatchObject({ ...unchanged, attempt: before.attempt + 6 });

    await on.api.change(on.merchant, id, { isActive: true });
    await sentEarly(before, 12);
    const after = await stored();
    expect(after).toMatchObject(unchanged);
    expect(after.attempt - after.schedule_from).toBe(before.attempt);
  });

  test.each([
    ['goes down again at once', { status: 503 }, 5],
    ['throttles its backlog', { status: 429, headers: { 'retry-after': '20' } }, 20],
  ])(
    'a delivery that fails once because its endpoint comes back and %s is soon delivered',
    async (_, answer, seconds) => {
      const id = await on.register();
      const before = await on.failOnce();
      let failures = 0;
      on.shop.respondWith(({ headers }) =>
        headers['x-webhook-event'] === 'payment.paid' && failures++ === 0 ? answer : { status: 200 },
      );
      await comeBack(id);

      await eventually(async () => (await on.deliveries('?status=DELIVERED')).length === 2, 'both are delivered');
      expect((await on.attemptsOf(before.id)).slice(before.attempt)).toMatchObject([
        { http_status: answer.status },
        { http_status: 200, trigger: 'schedule' },
      ]);
      expect(gapAfter(on.shop.requests.length - 1)).toBeGreaterThanOrEqual(seconds * 1_000 * TIME_SCALE);
    },
  );

  test.each([
    ['failed early', true, 2, 0],
    ['failed early in the version before', true, 0, 1],
    ['has a number that the version before has left', false, 2, 1],
  ])('a delivery that %s (%s, %i) is made due %i times by a recovery', async (_, failedEarly, failures, expected) => {
    const id = await on.register();
    await on.failOnce();
    await on.service.db.execute('update deliveries set failed_early = $2, early_failures = $3 where endpoint_id = $1', [
      id,
      failedEarly,
      failures,
    ]);
    const recovery = { endpointId: id, positionAt: null, isRequested: false };

    expect(await on.service.db.transaction((tx) => pullForward(tx, recovery, 7))).toMatchObject({ count: expected });
  });

  test('a delivery that failed early and fails as the probe is not made due by the next recovery', async () => {
    const id = await on.register();
    const { id: deliveryId, attempt } = await on.failOnce();
    await on.service.db.execute('update deliveries set failed_early = true, early_failures = 2 where id = $1', [
      deliveryId,
    ]);
    const isOff = aSignal();
    on.shop.respondWith(() => isOff.given.then(() => ({ status: 503 })));
    await probeOnce(id);
    await eventually(() => on.shop.requests.length === 1, 'the probe is sent');
    // Its next attempt, which is early too, would count as well.
    await on.service.db.execute('update endpoints set is_active = false where id = $1', [id]);
    isOff.give();
    await eventually(
      async () => ((await on.attemptsOf(deliveryId))[attempt]?.['outcome'] ?? null) !== null,
      'the probe fails',
    );
    // Also if it is held already.
    const [failed] = await on.service.db.query(
      `update deliveries set next_attempt_at = now() + interval '1 day' where id = $1 returning failed_early, early_failures`,
      [deliveryId],
    );

    expect(failed).toEqual({ failed_early: true, early_failures: 3 });
    const recovery = { endpointId: id, positionAt: null, isRequested: false };
    expect(await on.service.db.transaction((tx) => pullForward(tx, recovery, 7))).toMatchObject({ count: 0 });
  });

  test.each([
    ['whose worker dies uses up 0', 'next_attempt_at', 1, 0],
    ['whose worker dies before its scheduled time and that begins again afterwards uses up 1', 'now()', 1, 1],
    ['that begins after its scheduled time uses up 1', 'now()', 0, 1],
  ])('an early attempt %s of the scheduled attempts', async (_, plannedAt, begun, used) => {
    await on.register();
    const before = await on.failOnce();
    const scheduled = await placeOf(before.id);
    on.shop.respondWith(() => ({ status: 200 }));
    await on.service.db.execute(
      `update deliveries set planned_at = ${plannedAt}, next_attempt_at = now(), attempt = attempt + $2,
         schedule_from = schedule_from + 1, lease_owner = case $2 when 1 then gen_random_uuid() end where id = $1`,
      [before.id, begun],
    );

    await on.settled('DELIVERED');
    expect(await placeOf(before.id)).toBe(scheduled + used);
  });

  test('a delivery that was the probe of an outage is sent early when another one shows that the outage is over', async () => {
    const id = await on.register();
    const { id: deliveryId, attempt } = await on.failOnce();
    let isBack = false;
    on.shop.respondWith(({ headers }) => {
      isBack ||= headers['x-webhook-event'] === 'payment.expired';
      return { status: isBack ? 200 : 503 };
    });
    await probeOnce(id);
    await eventually(async () => {
      const attempts = await on.attemptsOf(deliveryId);
      return attempts.length > attempt && attempts.at(-1)!['outcome'] !== null;
    }, 'the probe fails');
    await comeBack(id);

    await eventually(async () => (await on.deliveries('?status=DELIVERED')).length === 2, 'both are delivered');
    expect((await on.attemptsOf(deliveryId)).at(-1)).toMatchObject({ trigger: 'schedule' });
  });

  test('notices that an endpoint works again although the next of its deliveries always fails', async () => {
    const id = await on.register();
    await on.failOnce(['intent.expired', 'intent.paid']);
    await on.service.db.execute(
      `update deliveries set next_attempt_at = now() + interval '1 hour' where endpoint_id = $1 and event_type = 'payment.expired'`,
      [id],
    );
    on.shop.respondWith(({ headers }) => ({ status: headers['x-webhook-event'] === 'payment.expired' ? 500 : 200 }));

    await eventually(async () => {
      await breakOpen(id);
      await makeEarlyProbesDue(on.service.db, [], 0);
      return (await on.deliveries('?status=DELIVERED')).length === 1;
    }, 'the other is delivered');
  });

  test('an early probe with a delivery that is sent early keeps its scheduled time', async () => {
    const id = await on.register();
    const { id: deliveryId, attempt } = await on.failOnce();
    await on.service.db.execute(
      `update endpoints set failing_since = now(), breaker_until = now() + interval '1 hour' where id = $1`,
      [id],
    );
    await on.service.db.execute(
      `update deliveries set planned_at = next_attempt_at, next_attempt_at = now() + interval '10 minutes', schedule_from = 1,
         attempt = attempt + 1 where id = $1`,
      [deliveryId],
    );
    const stored = async () =>
      (await on.service.db.query<any>('select * from deliveries where id = $1', [deliveryId]))[0];
    const before = await stored();
    await on.service.db.transaction(async (tx) => {
      await tx.execute('update endpoints set breaker_until = now() where id = $1', [id]);
      await makeEarlyProbesDue(tx, [], 0);
      await tx.execute(`update endpoints set breaker_until = now() + interval '1 hour' where id = $1`, [id]);
    });

    const { planned_at: plannedAt, schedule_from: scheduleFrom } = before;
    const after = await stored();
    expect(after.next_attempt_at.getTime()).toBeLessThan(before.next_attempt_at.getTime());
    expect(after).toMatchObject({ planned_at: plannedAt, schedule_from: scheduleFrom, attempt: attempt + 1 });
  });

  test.each([
    ['was not made', 0],
    ['was cut off', 1],
  ])(
    'a delivery whose early attempt %s when its endpoint was switched off is sent when it is switched on, and keeps its schedule',
    async (_, begun) => {
      const id = await on.register();
      const before = await on.failOnce();
      on.shop.respondWith(() => ({ status: 200 }));
      await on.api.change(on.merchant, id, { isActive: false });
      await on.service.db.execute(
        `update deliveries set planned_at = next_attempt_at, next_attempt_at = now(), attempt = attempt + $2, schedule_from = 1,
           failed_early = true, early_failures = 2, lease_owner = case $2 when 1 then gen_random_uuid() end where id = $1`,
        [before.id, begun],
      );
      const waiting = await eventually(
        async () =>
          (
            await on.service.db.query(
              `select next_attempt_at, planned_at, lease_owner, attempt - schedule_from as place from deliveries
               where id = $1 and coalesce(next_attempt_at > now(), true)`,
              [before.id],
            )
          )[0],
        'it is no longer due',
      );

      expect(waiting).toEqual({
        next_attempt_at: before.next_attempt_at,
        planned_at: null,
        lease_owner: null,
        place: before.attempt,
      });
      await on.api.change(on.merchant, id, { isActive: true });
      expect(await on.settled('DELIVERED')).toMatchObject({ id: before.id });
    },
  );

  const ASKED = { status: 503, headers: { 'retry-after': '100' } };

  test('sends no early probe to an endpoint before the time that it asked for', async () => {
    const id = await on.register();
    await on.failOnce();
    on.shop.respondWith((_, count) => (count === 1 ? ASKED : { status: 200 }));
    await eventually(async () => {
      await breakOpen(id);
      await makeEarlyProbesDue(on.service.db, [], 0);
      return (await on.deliveries('?status=DELIVERED')).length === 1;
    }, 'it is delivered');

    expect(gapAfter(1)).toBeGreaterThanOrEqual(100_000 * TIME_SCALE);
    expect(await on.endpointRow(id)).toMatchObject({ early_probes_from: null });
  });

  test('a delivery that is sent early waits as its endpoint asks, also beyond its scheduled time', async () => {
    const id = await on.register();
    const { id: deliveryId } = await on.failOnce();
    const isDue = aSignal();
    on.shop.respondWith((_, count) => (count === 1 ? isDue.given.then(() => ASKED) : { status: 200 }));
    await on.api.change(on.merchant, id, { isActive: true });
    await eventually(() => on.shop.requests.length === 1, 'it is sent early');
    await on.service.db.execute('update deliveries set planned_at = now() where id = $1', [deliveryId]);
    isDue.give();
    await on.settled('DELIVERED');

    expect(gapAfter(1)).toBeGreaterThanOrEqual(100_000 * TIME_SCALE);
  });

  test('makes deliveries with attempts due again in batches and leaves the others unchanged', async () => {
    const id = await on.register();
    await on.service.db.execute(
      `update endpoints set failing_since = now(), breaker_failures = 9, breaker_wait = 9, breaker_until = now() + interval '1 hour'
       where id = $1`,
      [id],
    );
    await on.service.announce(...Array.from({ length: 30 }, () => anEvent('intent.paid', on.merchant)));
    await eventually(async () => (await on.deliveries('?limit=100')).length === 30, 'all are planned');
    await on.service.db.execute(
      `with numbered as (select id, row_number() over (order by id)::int as number from deliveries where endpoint_id = $1)
       update deliveries d set attempt = (number <= 10)::int, created_at = now() - make_interval(mins => 60 - number),
         next_attempt_at = case when number <= 5 then now() - interval '1 second' when number <= 10 then now() + interval '1 day'
           else now() - make_interval(mins => 60 - number) end
       from numbered n where n.id = d.id`,
      [id],
    );
    const rounds: number[] = [];
    let positionAt: string | null = null;
    for (let seen = 7; seen === 7;) {
      const recovery: Parameters<typeof pullForward>[1] = { endpointId: id, positionAt, isRequested: false };
      const round = await on.service.db.transaction((tx) => pullForward(tx, recovery, 7));
      rounds.push(round.count);
      ({ seen, lastAt: positionAt } = round);
    }
    const rows = await on.service.db.query<{ isPulled: boolean; isAhead: boolean }>(
      `select next_attempt_at = created_at as "isPulled", planned_at > now() and schedule_from = 1 as "isAhead"
       from deliveries where endpoint_id = $1 order by next_attempt_at`,
      [id],
    );

    expect(rounds.length).toBeGreaterThan(3);
    expect(rounds.reduce((sum, count) => sum + count, 0)).toBe(10);
    expect(rows.every(({ isPulled }) => isPulled)).toBe(true);
    // Those that were due use up a scheduled attempt.
    expect(rows.filter(({ isAhead }) => isAhead)).toHaveLength(5);
  });
});
