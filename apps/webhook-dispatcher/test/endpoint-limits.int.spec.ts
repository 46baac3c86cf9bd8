import { captureServer, eventually, failOnLeaks, type CaptureServer } from '@pay/testing';
import {
  aKey,
  aMerchant,
  anEvent,
  startService,
  type MerchantUnderTest,
  type ServiceUnderTest,
} from './service-under-test';
import { SECRET } from './stage';
import { webhookApi, type Reply } from './webhook-api';

failOnLeaks();

const MAX_ENDPOINTS = 16;
const PER_MINUTE = 6;
const VERIFICATIONS = 3;

const LIMIT_REACHED = { status: 409, body: { code: 'ENDPOINT_LIMIT_REACHED' } };
const HOST_UNVERIFIED = { status: 409, body: { code: 'ENDPOINT_HOST_UNVERIFIED' } };
const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status).sort();

describe('limits of unverified endpoints', () => {
  let service: ServiceUnderTest;
  let merchant: MerchantUnderTest;
  const api = webhookApi(() => service);

  beforeAll(async () => {
    service = await startService({
      endpointLimits: {
        WEBHOOK_MAX_ENDPOINTS: MAX_ENDPOINTS,
        WEBHOOK_UNVERIFIED_PER_MINUTE: PER_MINUTE,
        WEBHOOK_VERIFICATIONS_PER_MINUTE: VERIFICATIONS,
      },
    });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    merchant = await aMerchant(service.db);
  });

  const register = (url: string, owner: { apiKey: string } = merchant): Promise<Reply> =>
    api.register(owner, { url, secret: SECRET });
  const registered = async (url: string, owner: { apiKey: string } = merchant): Promise<string> => {
    const { status, body } = await register(url, owner);
    expect(status).toBe(201);
    return body.id;
  };
  const verified = async (id: string): Promise<string> => {
    await service.db.execute('update endpoints set is_verified = true, verified_at = now() where id = $1', [id]);
    return id;
  };

  test('a merchant has at most 16 endpoints per environment, verified or not, and may register another after deleting one', async () => {
    const ids: string[] = [];
    for (let number = 0; number < MAX_ENDPOINTS; number += 1)
      ids.push(await verified(await registered(`https://shop.example/${number}`)));

    expect(await register('https://other.example/')).toMatchObject(LIMIT_REACHED);
    const live = { apiKey: await aKey(service.db, { id: merchant.id, environment: 'LIVE' }) };
    expect((await register('https://other.example/', live)).status).toBe(201);
    expect((await register('https://other.example/', await aMerchant(service.db))).status).toBe(201);
    await api.remove(merchant, ids[0]!);
    expect((await register('https://other.example/')).status).toBe(201);
    expect(await register('https://another.example/')).toMatchObject(LIMIT_REACHED);
  });

  test('concurrent registrations do not exceed the 16 endpoints', async () => {
    const replies = await Promise.all(
      Array.from({ length: MAX_ENDPOINTS + 6 }, (_, number) => register(`https://shop${number}.example/`)),
    );

    expect(statuses(replies)).toEqual([...Array(MAX_ENDPOINTS).fill(201), ...Array(6).fill(409)]);
    expect((await api.endpoints(merchant)).body.total).toBe(MAX_ENDPOINTS);
  });

  test.each([
    'https://shop.example/other?a=1',
    'https://SHOP.example:443/',
    'https://shop.example./',
    'http://shop.example:443/',
  ])('rejects %s beside an unverified endpoint on https://shop.example', async (url) => {
    await registered('https://shop.example/hooks');

    expect(await register(url)).toMatchObject(HOST_UNVERIFIED);
  });

  test.each(['https://shop.example:8443/', 'http://shop.example/', 'https://www.shop.example/'])(
    'accepts %s beside an unverified endpoint on https://shop.example',
    async (url) => {
      await registered('https://shop.example/hooks');

      expect((await register(url)).status).toBe(201);
    },
  );

  test('accepts a second endpoint on a host when the first is verified or deleted, and one of another merchant immediately', async () => {
    const first = await registered('https://shop.example/1');
    await registered('https://shop.example/1', await aMerchant(service.db));
    await verified(first);
    const second = await registered('https://shop.example/2');
    expect(await register('https://shop.example/3')).toMatchObject(HOST_UNVERIFIED);
    await api.remove(merchant, second);

    expect((await register('https://shop.example/3')).status).toBe(201);
  });

  test('an unverified endpoint that is switched off counts, so that switching it on cannot make a second one', async () => {
    const off = await registered('https://shop.example/1');
    await api.change(merchant, off, { isActive: false });

    expect(await register('https://shop.example/2')).toMatchObject(HOST_UNVERIFIED);
    expect((await api.change(merchant, off, { isActive: true })).status).toBe(200);
  });

  test('applies the same limit to a change of host, and not to a change of path or other fields', async () => {
    const first = await registered('https://first.example/');
    const second = await registered('https://second.example/');
    const third = await verified(await registered('https://third.example/'));
    await registered('https://third.example/unverified');

    expect(await api.change(merchant, second, { url: 'https://first.example/2' })).toMatchObject(HOST_UNVERIFIED);
    // The change would make a verified endpoint an unverified one.
    expect(await api.change(merchant, third, { url: 'https://third.example/3' })).toMatchObject(HOST_UNVERIFIED);
    expect((await api.endpoint(merchant, third)).body).toMatchObject({
      url: 'https://third.example/',
      isVerified: true,
    });
    expect((await api.change(merchant, third, { url: 'https://third.example/', isActive: false })).status).toBe(200);
    expect((await api.change(merchant, first, { url: 'https://first.example/other' })).status).toBe(200);
    expect((await api.change(merchant, second, { url: 'https://first.example:8444/' })).status).toBe(200);
  });

  test('of concurrent registrations and changes to one host exactly one succeeds', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, (_, n) => register(`https://shop.example/${n}`)));
    expect(statuses(replies)).toEqual([201, ...Array(7).fill(409)]);

    const moving = [await registered('https://a.example/'), await registered('https://b.example/')];
    const url = 'https://target.example/';
    const changes = await Promise.all([...moving.map((id) => api.change(merchant, id, { url })), register(url)]);
    expect(changes.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(changes.filter(({ status }) => status === 409)).toHaveLength(2);
  });

  test('endpoints that were registered before the limits are kept and may be changed in all but their url', async () => {
    const ids = [await registered('https://shop.example/'), await registered('https://other.example/')];
    await service.db.execute('update endpoints set url = $2 where id = $1', [ids[1], 'https://shop.example/']);

    expect((await api.change(merchant, ids[1]!, { eventTypes: ['payment.paid'] })).status).toBe(200);
    expect(await api.change(merchant, ids[1]!, { url: 'https://shop.example/2' })).toMatchObject(HOST_UNVERIFIED);
  });

  describe('at a host', () => {
    const shops: CaptureServer[] = [];
    const aShop = async (): Promise<CaptureServer> => {
      const shop = await captureServer();
      shops.push(shop);
      shop.respondWith((request) => ({
        status: 200,
        body: JSON.stringify({ challenge: (request.json() as { challenge?: string }).challenge }),
      }));
      return shop;
    };
    afterEach(() => Promise.all(shops.splice(0).map((shop) => shop.close())));

    const total = async (owner: MerchantUnderTest, status?: string): Promise<number> =>
      (await api.deliveries(owner, status === undefined ? '' : `?status=${status}`)).body.total;

    test('limits the rate of all unverified endpoints of a host together, and not of verified ones', async () => {
      const EVENTS = 20;
      const [other, ...given] = [await aMerchant(service.db), await aShop(), await aShop()] as const;
      const id = await registered(`${given[0].url}/hooks`);
      await registered(`${given[1].url}/hooks`, other);
      const begun = performance.now();
      for (let number = 0; number < EVENTS; number += 1)
        await service.announce(anEvent('intent.paid', merchant), anEvent('intent.paid', other));
      await eventually(
        async () => (await total(merchant)) === EVENTS && (await total(other)) === EVENTS,
        'every delivery is planned',
      );
      await eventually(
        async () => (await total(merchant, 'DELIVERED')) + (await total(other, 'DELIVERED')) >= PER_MINUTE,
        'the requests that the host has left are sent',
      );
      const requests = given[0].requests.length + given[1].requests.length;
      const cameBack = Math.ceil(((performance.now() - begun) / 60_000) * PER_MINUTE);
      expect(requests).toBeGreaterThanOrEqual(PER_MINUTE);
      expect(requests).toBeLessThanOrEqual(PER_MINUTE + cameBack);

      expect((await api.verify(merchant, id)).status).toBe(200);
      await eventually(async () => (await total(merchant, 'DELIVERED')) === EVENTS, 'the verified one gets everything');
      const waiting = (await api.deliveries(other, '?status=PENDING')).body.data;
      expect(waiting.length).toBeGreaterThan(0);
      // What waited for the rate has made no attempt, so its schedule has not begun.
      for (const delivery of waiting) expect(delivery).toMatchObject({ attempt: 0, statusCode: null });
      const attempts = await service.db.query<{ count: number }>(
        `select count(*)::int as count from attempts a join deliveries d on d.id = a.delivery_id where d.merchant_id = $1`,
        [other.id],
      );
      expect(attempts[0]!.count).toBe(given[1].requests.length);
    });

    test('a merchant may start 3 verifications per minute and host, and the fourth returns 429 with Retry-After', async () => {
      const shop = await aShop();
      shop.respondWith(() => ({ status: 404 }));
      const ids = [await registered(`${shop.url}/hooks`), await registered(`${(await aShop()).url}/hooks`)];
      const answers: number[] = [];
      for (let number = 0; number < VERIFICATIONS; number += 1)
        answers.push((await api.verify(merchant, ids[0]!)).status);

      expect(answers).toEqual(Array(VERIFICATIONS).fill(422));
      for (const id of ids) {
        const response = await fetch(`${service.url}/v1/webhooks/endpoints/${id}/verify`, {
          method: 'POST',
          headers: { 'x-api-key': merchant.apiKey },
        });
        expect(response.status).toBe(429);
        expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(await response.json()).toMatchObject({ code: 'RATE_LIMITED' });
      }
      expect(shop.requests).toHaveLength(VERIFICATIONS);
      const other = await aMerchant(service.db);
      expect((await api.verify(other, await registered(`${shop.url}/hooks`, other))).status).toBe(422);
    });
  });
});
