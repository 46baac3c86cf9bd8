import { ROLES, type ApiKeyScope, type Environment } from '@pay/contracts';
import { eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { issueApiKey } from '../src/api-keys/issue-api-key';
import { playClocksLeftAlone } from '../src/sandbox/play-test-clock';
import { ClockServices } from './clock-services';
import { openShop, type Person, type Shop } from './dashboard-under-test';
import { quietLog, startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

const CLOCK = '/v1/sandbox/test-clock';

describe('the test clock of SANDBOX', () => {
  const services = new ClockServices();
  const { reconciler, intentApi, webhookDispatcher } = services;
  let service: ServiceUnderTest;
  let shop: Shop;
  let developer: Person;
  beforeAll(async () => {
    service = await startService({ reconciler, intentApi, webhookDispatcher });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    services.reset();
    shop = await openShop(service);
    developer = shop.people.DEVELOPER;
  });

  const advance = (body: object, person = developer) => person.post(`${CLOCK}/advance`, body);
  const playOn = () =>
    playClocksLeftAlone({
      reconciler,
      intentApi,
      webhookDispatcher,
      db: service.db,
      log: quietLog,
      newId: uuidv7,
    });
  const leaveAlone = () =>
    service.db.execute(`update test_clocks set played_at = now() - interval '1 hour' where merchant_id = $1`, [
      shop.merchantId,
    ]);
  const services3 = ['reconciler', 'webhook-dispatcher', 'intent-api'] as const;

  it('is ready before it was used', async () => {
    expect(await developer.get(CLOCK)).toMatchObject({
      status: 200,
      body: { environment: 'SANDBOX', status: 'ready', advancedSeconds: 0, requestId: null, pending: null },
    });
  });

  it('advances by seconds: each service moves its deadlines once, and the response is ready', async () => {
    const { status, body } = await advance({ seconds: 3_600 });

    expect({ status, body }).toMatchObject({
      status: 200,
      body: { status: 'ready', advancedSeconds: 3_600, pending: null },
    });
    const [step] = services.stepsOf('reconciler');
    for (const name of services3) expect(services.stepsOf(name)).toEqual([{ id: step!.id, milliseconds: 3_600_000 }]);
    const tenants = services.asked.map(({ tenant }) => tenant);
    expect(new Set(tenants.map((tenant) => JSON.stringify(tenant)))).toEqual(
      new Set([JSON.stringify({ merchantId: shop.merchantId, environment: 'SANDBOX' })]),
    );
    expect(await service.audited(shop.merchantId)).toContainEqual(
      expect.objectContaining({
        actor: `user:${developer.userId}`,
        action: 'test_clock.advanced',
        environment: 'SANDBOX',
      }),
    );
  });

  it('advances to a time', async () => {
    const { body } = await advance({ to: new Date(Date.now() + 600_000).toISOString() });

    expect(body.status).toBe('ready');
    expect(body.advancedSeconds).toBeGreaterThan(0);
    expect(body.advancedSeconds).toBeLessThanOrEqual(600);
  });

  it('ends a step at the last expiry within the advance, so that the rest of the time is for its webhooks', async () => {
    services.lastExpiries = [300_000, null];

    await advance({ seconds: 1_000 });

    for (const name of services3)
      expect(services.stepsOf(name).map(({ milliseconds }) => milliseconds)).toEqual([300_000, 700_000]);
  });

  it('plays webhooks before it moves expiries', async () => {
    await advance({ seconds: 60 });

    expect(services.asked.map(({ service: name }) => name)).toEqual([
      ...['intent-api', 'reconciler', 'webhook-dispatcher', 'intent-api'],
    ]);
  });

  it('does not advance twice for one requestId, and advances again for another', async () => {
    const requestId = uuidv7();
    await advance({ seconds: 60, requestId });

    const { body } = await advance({ seconds: 60, requestId });

    expect(body).toMatchObject({ advancedSeconds: 60, requestId });
    expect((await advance({ seconds: 60 })).body.advancedSeconds).toBe(120);
  });

  it('refuses a requestId that was used for another duration or time', async () => {
    const requestId = uuidv7();
    await advance({ seconds: 60, requestId });

    for (const other of [{ seconds: 61 }, { to: new Date(Date.now() + 60_000).toISOString() }]) {
      expect(await advance({ ...other, requestId })).toMatchObject({
        status: 422,
        body: { code: 'IDEMPOTENCY_KEY_REUSED' },
      });
    }
    expect((await developer.get(CLOCK)).body.advancedSeconds).toBe(60);
  });

  it('answers a repeated advance to a time that has passed with the clock', async () => {
    const advanceTo = { to: new Date(Date.now() + 5_000).toISOString(), requestId: uuidv7() };
    const { body } = await advance(advanceTo);
    await eventually(async () => Date.now() > Date.parse(advanceTo.to), 'the time has passed');

    expect(await advance(advanceTo)).toMatchObject({ status: 200, body: { advancedSeconds: body.advancedSeconds } });
  });

  it('forgets the requestId with a reset', async () => {
    const requestId = uuidv7();
    await advance({ seconds: 60, requestId });

    expect((await developer.post(`${CLOCK}/reset`, {})).body).toMatchObject({ advancedSeconds: 0, requestId: null });
    expect((await advance({ seconds: 30, requestId })).body).toMatchObject({ advancedSeconds: 30, requestId });
  });

  it('plays one of two concurrent advances, and answers the other with 409 or the same clock', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => advance({ seconds: 60 })));

    const accepted = answers.filter(({ status }) => status === 200);
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect((await developer.get(CLOCK)).body.advancedSeconds).toBe(accepted.length * 60);
    for (const name of services3) expect(services.stepsOf(name)).toHaveLength(accepted.length);
  });

  it.each<[string, string, (to: ClockServices) => void, (to: ClockServices) => void]>([
    ['intake', 'an SMS is undecided', (to) => (to.isIntakeDecided = false), (to) => (to.isIntakeDecided = true)],
    ['webhooks', 'a delivery is due', (to) => (to.deliveriesDue = 1), (to) => (to.deliveriesDue = 0)],
    ['expiry', 'an intent is undecided', (to) => (to.pending = 1), (to) => (to.pending = 0)],
    ['services', 'a service is silent', (to) => (to.silent = 'intent-api'), (to) => (to.silent = undefined)],
    [
      'webhooks',
      'the event of an expiry has not arrived',
      (to) => Object.assign(to, { expiring: [uuidv7()], unsettled: 1 }),
      (to) => (to.unsettled = 0),
    ],
  ])('waits for %s while %s', async (waitsFor, _, block, unblock) => {
    block(services);
    const answer = advance({ seconds: 60 });
    await eventually(
      async () => (await developer.get(CLOCK)).body.pending?.waitsFor === waitsFor,
      `the clock waits for ${waitsFor}`,
    );
    expect((await developer.get(CLOCK)).body).toMatchObject({ status: 'advancing', pending: { secondsLeft: 60 } });
    expect(await advance({ seconds: 1 })).toMatchObject({ status: 409, body: { code: 'TEST_CLOCK_ADVANCING' } });

    unblock(services);

    expect((await answer).body).toMatchObject({ status: 'ready', advancedSeconds: 60 });
    for (const name of services3) expect(services.stepsOf(name)).toHaveLength(1);
  });

  it('is advanced by the worker after its process has died, with the same step', async () => {
    const stepId = uuidv7();
    await service.db.execute(
      `insert into test_clocks (merchant_id, left_ms, step_id, step_ms, request_id) values ($1, 90000, $2, 60000, $3)`,
      [shop.merchantId, stepId, uuidv7()],
    );
    await playOn();
    expect((await developer.get(CLOCK)).body.status).toBe('advancing');

    await leaveAlone();
    await playOn();

    expect((await developer.get(CLOCK)).body).toMatchObject({ status: 'ready', advancedSeconds: 90 });
    expect(services.stepsOf('intent-api').map(({ milliseconds }) => milliseconds)).toEqual([60_000, 30_000]);
    expect(services.stepsOf('intent-api')[0]!.id).toBe(stepId);
  });

  it('is ready after a reset, also of an advance that is under way', async () => {
    services.deliveriesDue = 1;
    const answer = advance({ seconds: 60 });
    await eventually(async () => (await developer.get(CLOCK)).body.status === 'advancing', 'the clock advances');

    const { body } = await developer.post(`${CLOCK}/reset`, {});

    expect(body).toMatchObject({ status: 'ready', advancedSeconds: 0, pending: null });
    expect((await answer).body).toMatchObject({ status: 'ready', advancedSeconds: 0 });
  });

  it('of one merchant does not advance for another', async () => {
    const other = await openShop(service);

    await advance({ seconds: 60 });

    expect((await other.people.OWNER.get(CLOCK)).body).toMatchObject({ advancedSeconds: 0, status: 'ready' });
    expect(services.asked.filter(({ tenant }) => tenant?.merchantId === other.merchantId)).toEqual([]);
  });

  it('exists in SANDBOX only: LIVE is answered 403, and refused by the database', async () => {
    const forbidden = { status: 403, body: { code: 'FORBIDDEN' } };

    expect(await developer.get(`${CLOCK}?environment=LIVE`)).toMatchObject(forbidden);
    expect(await advance({ environment: 'LIVE', seconds: 60 })).toMatchObject(forbidden);
    expect(await developer.post(`${CLOCK}/reset`, { environment: 'LIVE' })).toMatchObject(forbidden);

    expect(services.asked).toEqual([]);
    await expect(
      service.db.execute(`insert into test_clocks (merchant_id, environment) values ($1, 'LIVE')`, [shop.merchantId]),
    ).rejects.toThrow(/test_clocks_environment_check/);
  });

  it('advances with an API key that has the scope, and not with another key', async () => {
    const keyOf = async (environment: Environment, scopes: ApiKeyScope[]) => {
      const tenant = { merchantId: shop.merchantId, environment };
      return (await service.change((deps, tx) => issueApiKey(deps, tx, { tenant, name: 'CI', scopes }))).apiKey;
    };
    const ask = async (apiKey: string, method: string, path: string, body?: object) =>
      fetch(`${service.url}/v1/sandbox/clock${path}`, {
        method,
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
    const allowed = await keyOf('SANDBOX', ['sandbox:simulate']);
    const advanced = await ask(allowed, 'POST', '/advance', { seconds: 60 });

    expect(advanced.status).toBe(200);
    expect(await advanced.json()).toMatchObject({ status: 'ready', advancedSeconds: 60 });
    expect(await (await ask(allowed, 'GET', '')).json()).toMatchObject({ advancedSeconds: 60 });
    expect((await ask(allowed, 'POST', '/reset', {})).status).toBe(200);
    for (const refused of [await keyOf('LIVE', ['sandbox:simulate']), await keyOf('SANDBOX', ['payments:write'])]) {
      expect((await ask(refused, 'POST', '/advance', { seconds: 60 })).status).toBe(403);
      expect((await ask(refused, 'GET', '')).status).toBe(403);
      expect((await ask(refused, 'POST', '/reset', {})).status).toBe(403);
    }
  });

  it.each(ROLES)('accepts OWNER, ADMIN and DEVELOPER and no other role: %s', async (role) => {
    const person = shop.people[role];
    const expected = ['OWNER', 'ADMIN', 'DEVELOPER'].includes(role) ? 200 : 403;

    expect((await person.get(CLOCK)).status).toBe(expected);
    expect((await advance({ seconds: 1 }, person)).status).toBe(expected);
    expect((await person.post(`${CLOCK}/reset`, {})).status).toBe(expected);
  });

  it.each([
    [{}, 'seconds'],
    [{ seconds: 0 }, 'seconds'],
    [{ seconds: 1.5 }, 'seconds'],
    [{ seconds: '60' }, 'seconds'],
    [{ seconds: 30 * 86_400 + 1 }, 'seconds'],
    [{ to: 'tomorrow' }, 'to'],
    [{ seconds: 1, requestId: 'x' }, 'requestId'],
    [{ seconds: 1, environment: 'TEST' }, 'environment'],
  ])('refuses %j with a sentence that names %s', async (body, field) => {
    const answer = await advance(body);

    expect(answer.status).toBe(400);
    expect(String(answer.body.message)).toContain(field);
  });

  it.each([
    ['the past', -60_000],
    ['more than 30 days ahead', 31 * 86_400_000],
  ])('refuses to advance to %s', async (_, ms) => {
    const to = new Date(Date.now() + ms).toISOString();

    expect(await advance({ to })).toMatchObject({ status: 409, body: { code: 'TIME_OUT_OF_RANGE' } });
  });
});
