import { eventually, failOnLeaks } from '@pay/testing';
import { changeEndpoint } from '../src/endpoints/change-endpoint';
import { makeEarlyProbesDue } from '../src/recovery/early-probe-repository';
import { aMerchant, anEvent } from './service-under-test';
import { aSignal, stage } from './stage';

failOnLeaks();

const HEALTHY = `failing_since = null, gone_at = null`;
const FAILING = `failing_since = now(), failed_attempts = 7, gone_at = now(), breaker_failures = 3`;
const BROKEN = `failing_since = now(), breaker_failures = 5, breaker_wait = 15`;
const HALF_OPEN = `${BROKEN}, breaker_until = now()`;
const OPEN = `${BROKEN}, breaker_until = now() + interval '1 hour'`;

interface Case {
  readonly status: number;
  /** State of the endpoint when the request starts. */
  readonly before?: string;
  /** State of the endpoint at its new URL when the response arrives. */
  readonly at?: string;
}

describe('a changed endpoint', () => {
  const on = stage();

  const healthOf = async (id: string): Promise<unknown> =>
    (
      await on.service.db.query(
        `select failing_since, failed_attempts, gone_at, breaker_failures, breaker_wait, breaker_until, is_active
         from endpoints where id = $1`,
        [id],
      )
    )[0];

  test.each<[string, Case]>([
    ['503 is no failure', { status: 503 }],
    ['503 to a probe does not open the breaker', { status: 503, before: HALF_OPEN }],
    ['410 does not count as the first 410', { status: 410 }],
    ['200 does not end failures', { status: 200, before: FAILING, at: FAILING }],
    ['200 to a probe does not close the breaker', { status: 200, before: HALF_OPEN, at: OPEN }],
    ['404 does not reset a 410', { status: 404, before: FAILING, at: FAILING }],
  ])(
    'a response of the previous URL: %s of the endpoint at its new URL',
    async (_, { status, before = HEALTHY, at = HEALTHY }) => {
      const { db } = on.service;
      const id = await on.register({ url: `${on.shop.url}/old` });
      await db.execute(`update endpoints set ${before} where id = $1`, [id]);
      const isChanged = aSignal();
      // The next attempt goes to the new URL and gets no response.
      on.shop.respondWith((_request, count) => (count === 1 ? isChanged.given.then(() => ({ status })) : undefined));
      await on.service.announce(anEvent('intent.paid', on.merchant));
      await eventually(() => on.shop.requests.length === 1, 'the request has arrived at the old URL');
      expect((await on.api.change(on.merchant, id, { url: `${on.shop.url}/new` })).status).toBe(200);
      await db.execute(`update endpoints set ${at} where id = $1`, [id]);
      const expected = await healthOf(id);
      isChanged.give();
      await eventually(async () => {
        const recorded = await db.query(
          `select from attempts a join deliveries d on d.id = a.delivery_id
         where d.endpoint_id = $1 and a.attempt = 1 and a.outcome is not null`,
          [id],
        );
        return recorded.length === 1;
      }, 'the result is recorded');

      expect(await healthOf(id)).toEqual(expected);
    },
  );

  test('sends waiting deliveries to the new URL immediately, and those that fail at the old URL after the change', async () => {
    const { db } = on.service;
    const isChanged = aSignal();
    const id = await on.register({ url: `${on.shop.url}/old` });
    await on.failOnce(['intent.paid', 'intent.paid']);
    on.shop.respondWith(({ path }) =>
      path === '/old' ? isChanged.given.then(() => ({ status: 503 })) : { status: 200 },
    );
    await db.execute(`update endpoints set failing_since = now(), breaker_until = now() where id = $1`, [id]);
    await makeEarlyProbesDue(db, [], 0);
    await eventually(() => on.shop.requests.length === 1, 'one is being sent to the old URL');
    await on.api.change(on.merchant, id, { url: `${on.shop.url}/new` });
    await eventually(async () => (await on.deliveries('?status=DELIVERED')).length === 1, 'the other is delivered');
    isChanged.give();

    await eventually(async () => (await on.deliveries('?status=DELIVERED')).length === 2, 'both are delivered');
    expect(on.shop.requests.map(({ path }) => path)).toEqual(['/old', '/new', '/new']);
  });

  test('a change of an endpoint of another merchant has no effect: its deliveries keep their leases', async () => {
    const id = await on.register();
    const { id: merchantId, environment } = await aMerchant(on.service.db);
    const acted: string[] = [];
    const change = { isActive: true, eventTypes: undefined };
    const deps = {
      ...on.service.webhooks,
      endpointChanged: (changed: string) => void acted.push(changed),
      wakeRecoveries: () => void acted.push('recoveries'),
    };

    await expect(changeEndpoint(deps, { merchantId, environment }, id, change)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });

    expect(acted).toEqual([]);
  });
});
