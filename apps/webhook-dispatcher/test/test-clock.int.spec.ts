import {
  playedDeliveriesSchema,
  unsettledIntentsSchema,
  type Environment,
  type PlayedDeliveries,
  type Tenant,
} from '@pay/contracts';
import { httpServer, serviceClient, ServiceCallFailed, type ServiceClient } from '@pay/http';
import { createLogger, createMetrics } from '@pay/runtime';
import { eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { createInternalApp } from '../src/app';
import { NO_SHOP } from './no-shop';
import { aMerchant, anEvent, type MerchantUnderTest } from './service-under-test';
import { aSignal, stage } from './stage';

failOnLeaks();

const SECRET = 'd'.repeat(32);
const SECOND = 1_000;
const DAY = 86_400 * SECOND;
/** With the jitter of the tests, which is none. */
const SANDBOX_WAITS = [5, 15, 30, 60, 120];

describe('webhook retries under the test clock of a SANDBOX tenant', () => {
  // Real waits: without the clock, the second attempt would be 5 seconds after the first.
  const on = stage(1);
  let client: ServiceClient;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const log = createLogger({ service: 'webhook-dispatcher', level: 'silent' });
    const kernel = { log, metrics: createMetrics('webhook-dispatcher') };
    const { db, webhooks } = on.service;
    const deps = { ...NO_SHOP, db, webhooks, peerSecrets: { 'dashboard-api': SECRET }, poke: () => undefined };
    const stop = new AbortController();
    const server = httpServer({
      app: createInternalApp(kernel, deps),
      host: '127.0.0.1',
      port: 0,
      log,
      idleGraceMs: 0,
    });
    const running = server.run(stop.signal);
    const { port } = await eventually(() => server.address(), 'the server listens');
    const baseUrl = `http://127.0.0.1:${port}`;
    client = serviceClient({ issuer: 'dashboard-api', audience: 'webhook-dispatcher', secret: SECRET, baseUrl });
    close = async () => {
      await client.close();
      stop.abort();
      await running;
    };
  });
  afterAll(() => close());

  const tenantOf = ({ id, environment }: { id: string; environment: Environment }): Tenant => ({
    merchantId: id,
    environment,
  });
  const step = (
    stepId: string,
    milliseconds: number,
    owner: MerchantUnderTest = on.merchant,
  ): Promise<PlayedDeliveries> =>
    client.request('POST', '/internal/v1/test-clock/steps', {
      body: { stepId, milliseconds },
      tenant: tenantOf(owner),
      schema: playedDeliveriesSchema,
    });
  /** As dashboard-api does it: until the time is used up and nothing is due. */
  const play = async (milliseconds: number, owner = on.merchant, stepId: string = uuidv7()): Promise<void> => {
    await eventually(
      async () => {
        const { millisecondsLeft, due } = await step(stepId, milliseconds, owner);
        return millisecondsLeft === 0 && due === 0;
      },
      'the step is played',
      { timeoutMs: 60_000 },
    );
  };
  const deliveryRows = (owner: MerchantUnderTest): Promise<any[]> =>
    on.service.db.query('select * from deliveries where merchant_id = $1 order by id', [owner.id]);
  const endpointRows = (owner: MerchantUnderTest): Promise<any[]> =>
    on.service.db.query('select * from endpoints where merchant_id = $1 order by id', [owner.id]);
  const failing = async (status = 500) => {
    await on.register();
    on.shop.respondWith(() => ({ status }));
    await on.service.announce(anEvent('intent.expired', on.merchant));
    return on.settled('RETRYING');
  };

  it.each([500, 503, 404])('play the whole schedule of an endpoint that answers %i', async (status) => {
    const { id } = await failing(status);

    await play(3 * DAY);

    expect(await on.attemptsOf(id)).toMatchObject(
      Array.from({ length: SANDBOX_WAITS.length + 1 }, (_, index) => ({ attempt: index + 1, http_status: status })),
    );
    expect((await on.deliveries())[0]).toMatchObject({ status: 'FAILED', attempt: 6 });
    expect(on.shop.requests.map(({ headers }) => headers['x-webhook-attempt'])).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  it('play as many attempts as the skipped time has', async () => {
    const { id } = await failing(404);

    await play(25 * SECOND);

    // 5 s and 15 s fit, 30 s do not, but 5 s of them are over.
    expect(await on.attemptsOf(id)).toHaveLength(3);
    const [row] = await deliveryRows(on.merchant);
    const [, , last] = await on.attemptsOf(id);
    expect(row.next_attempt_at.getTime() - last!['finished_at'].getTime()).toBeLessThanOrEqual(25 * SECOND);
  });

  it('do not move while an attempt is under way', async () => {
    const held = aSignal();
    await on.register();
    on.shop.respondWith((_, count) => (count === 1 ? { status: 404 } : held.given.then(() => ({ status: 404 }))));
    await on.service.announce(anEvent('intent.expired', on.merchant));
    const { id } = await on.settled('RETRYING');
    const stepId = uuidv7();
    await eventually(
      async () => (await step(stepId, DAY)).due === 1 && on.shop.requests.length === 2,
      'it is sent again',
    );

    const [first, second] = [await step(stepId, DAY), await step(stepId, DAY)];

    held.give();
    expect(first).toEqual({ millisecondsLeft: second.millisecondsLeft, due: 1 });
    expect(first.millisecondsLeft).toBeGreaterThan(DAY - 6 * SECOND);
    await play(DAY, on.merchant, stepId);
    expect(await on.attemptsOf(id)).toHaveLength(6);
  });

  it('wait for the circuit breaker of their endpoint, whose time is skipped', async () => {
    await failing(500);
    await on.service.db.execute(
      `update endpoints set breaker_until = now() + interval '1 hour', breaker_wait = 3600 where merchant_id = $1`,
      [on.merchant.id],
    );

    await play(3 * DAY);

    expect((await on.deliveries())[0]).toMatchObject({ status: 'FAILED', attempt: 6 });
  });

  it('come closer to the scheduled time of a delivery that is due early and waits for the breaker', async () => {
    await failing(500);
    await on.service.db.execute(
      `update endpoints set breaker_until = now() + interval '1 hour', breaker_wait = 3600 where merchant_id = $1`,
      [on.merchant.id],
    );
    const plannedAt = async (): Promise<Date> =>
      (await on.service.db.query<any>('select planned_at from deliveries where merchant_id = $1', [on.merchant.id]))[0]
        .planned_at;
    await eventually(
      async () =>
        (await on.service.db.execute(
          `update deliveries set next_attempt_at = created_at, planned_at = now() + interval '1 day', schedule_from = 1
           where merchant_id = $1 and lease_owner is null`,
          [on.merchant.id],
        )) === 1,
      'it is due early',
    );
    const before = await plannedAt();
    expect(await step(uuidv7(), SECOND)).toMatchObject({ millisecondsLeft: 0 });

    expect(before.getTime() - (await plannedAt()).getTime()).toBe(SECOND);
  });

  it('end with the first success', async () => {
    await on.register();
    on.shop.respondWith((_, count) => ({ status: count <= 3 ? 500 : 200 }));
    await on.service.announce(anEvent('intent.expired', on.merchant));
    await on.settled('RETRYING');

    await play(DAY);

    expect((await on.deliveries())[0]).toMatchObject({ status: 'DELIVERED', attempt: 4 });
  });

  it('are played once when a step is repeated after its end', async () => {
    const { id } = await failing(404);
    const stepId = uuidv7();
    const isOver = async () => {
      const { millisecondsLeft, due } = await step(stepId, 51 * SECOND);
      return millisecondsLeft === 0 && due === 0;
    };
    await eventually(isOver, 'the step is played');

    for (let repeat = 0; repeat < 3; repeat += 1) expect(await step(stepId, 51 * SECOND)).toMatchObject({ due: 0 });

    // The fifth is a minute after the fourth.
    expect(await on.attemptsOf(id)).toHaveLength(4);
  });

  it('wait for each other in the order of their times, without one attempt too many, for many deliveries', async () => {
    await on.register();
    on.shop.respondWith(() => ({ status: 404 }));
    const events = Array.from({ length: 20 }, () => anEvent('intent.expired', on.merchant));
    await on.service.announce(...events);
    await eventually(
      async () => (await deliveryRows(on.merchant)).filter(({ status }) => status === 'RETRYING').length === 20,
      'all have failed once',
    );

    await play(DAY);

    const rows = await deliveryRows(on.merchant);
    expect(rows.map(({ status, attempt }) => [status, attempt])).toEqual(rows.map(() => ['FAILED', 6]));
    expect(on.shop.requests).toHaveLength(20 * 6);
  });

  it('skip the time for which an endpoint has been failing', async () => {
    await failing(404);
    const [before] = await endpointRows(on.merchant);

    await play(DAY);

    const [after] = await endpointRows(on.merchant);
    expect(before.failing_since.getTime() - after.failing_since.getTime()).toBe(DAY);
  });

  it('skip the time after which a second 410 switches an endpoint off', async () => {
    await failing(410);

    await play(DAY);

    expect((await endpointRows(on.merchant))[0]).toMatchObject({ is_active: false, disabled_reason: 'GONE' });
  });

  it('do not move for a delivery that was made after the step had begun', async () => {
    const { id: early } = await failing(404);
    const stepId = uuidv7();
    await step(stepId, DAY);
    const later = await on.failOnce();

    await play(DAY, on.merchant, stepId);

    const [first, second] = await deliveryRows(on.merchant);
    expect(first).toMatchObject({ id: early, status: 'FAILED', attempt: 6 });
    expect(second).toMatchObject({ ...later, status: 'RETRYING', attempt: 1 });
  });

  it('do not move for another merchant, nor in LIVE', async () => {
    const waiting = async (owner: MerchantUnderTest) => {
      await on.register({ url: `${on.shop.url}/hooks` }, owner);
      await on.failOnce(['intent.expired'], owner);
      await on.service.db.execute(
        `update deliveries set next_attempt_at = now() + interval '1 hour' where merchant_id = $1`,
        [owner.id],
      );
      return rowsOf(owner);
    };
    const rowsOf = async (owner: MerchantUnderTest) => ({
      deliveries: await deliveryRows(owner),
      endpoints: await endpointRows(owner),
    });
    on.shop.respondWith(() => ({ status: 404 }));
    const other = await aMerchant(on.service.db);
    const before = await waiting(other);
    // The same merchant's LIVE row, which no LIVE endpoint of this network could be sent to.
    const live = await aMerchant(on.service.db);
    await waiting(live);
    const liveUrl = 'https://shop.example/hooks';
    await on.service.db.execute(`update endpoints set environment = 'LIVE', url = $2 where merchant_id = $1`, [
      ...[live.id, liveUrl],
    ]);
    await on.service.db.execute(`update deliveries set environment = 'LIVE' where merchant_id = $1`, [live.id]);
    const beforeLive = await rowsOf(live);
    await waiting(on.merchant);

    await play(DAY);
    await play(DAY, { ...on.merchant, id: live.id });

    expect((await on.deliveries())[0]).toMatchObject({ status: 'FAILED' });
    expect(await rowsOf(other)).toEqual(before);
    expect(await rowsOf(live)).toEqual(beforeLive);
  });

  it('refuse LIVE, in the service and in the database', async () => {
    const live = { ...on.merchant, environment: 'LIVE' } as const;

    const refusal = await step(uuidv7(), DAY, live).catch((error: unknown) =>
      error instanceof ServiceCallFailed ? `${error.status} ${error.code}` : String(error),
    );

    expect(refusal).toBe('403 FORBIDDEN');
    await expect(
      on.service.db.execute(
        `insert into test_clock_steps (id, merchant_id, environment, milliseconds, milliseconds_left) values ($1, $2, 'LIVE', 1, 1)`,
        [uuidv7(), live.id],
      ),
    ).rejects.toThrow(/test_clock_steps_environment_check/);
  });

  it('return which intents have no event in the feed, or a delivery that is due', async () => {
    const unsettled = async (...intentIds: string[]) =>
      (
        await client.request('POST', '/internal/v1/test-clock/unsettled-intents', {
          body: { intentIds },
          tenant: tenantOf(on.merchant),
          schema: unsettledIntentsSchema,
        })
      ).unsettled;
    const held = aSignal();
    await on.register();
    on.shop.respondWith((_, count) => (count === 1 ? { status: 404 } : held.given.then(() => ({ status: 404 }))));
    const event = anEvent('intent.expired', on.merchant);
    const { id } = event.data.intent;
    expect(await unsettled(id)).toBe(1);

    await on.service.announce(event);
    await on.settled('RETRYING');
    await on.service.db.execute(
      'update deliveries set next_attempt_at = now() where merchant_id = $1 and lease_owner is null',
      [on.merchant.id],
    );
    await eventually(() => on.shop.requests.length === 2, 'it is sent again');
    expect(await unsettled(id)).toBe(1);
    held.give();
    await eventually(async () => (await unsettled(id)) === 0, 'its delivery waits');
  });
});
