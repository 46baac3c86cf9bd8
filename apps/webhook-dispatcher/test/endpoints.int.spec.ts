import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dumpSchema } from '@pay/persistence';
import { failOnLeaks, librarySchemas } from '@pay/testing';
import { aKey, aMerchant, startService, type MerchantUnderTest, type ServiceUnderTest } from './service-under-test';
import { webhookApi } from './webhook-api';

failOnLeaks();

const SECRET = 'correct-horse-battery-staple';
const ALL = ['payment.paid', 'payment.review_required', 'payment.expired', 'payment.rejected'];

describe('webhook endpoints', () => {
  let service: ServiceUnderTest;
  let merchant: MerchantUnderTest;
  const api = webhookApi(() => service);

  beforeAll(async () => {
    service = await startService();
    merchant = await aMerchant(service.db);
  });
  afterAll(() => service.stop());

  test('the schema equals db/schema.sql', async () => {
    expect(await dumpSchema(service.databaseUrl, librarySchemas())).toBe(
      readFileSync(join(__dirname, '../src/db/schema.sql'), 'utf8'),
    );
  });

  test('registering returns the endpoint, unverified, active and without its secret', async () => {
    const { status, body } = await api.register(merchant, {
      url: 'https://shop.example/hooks?a=1',
      secret: SECRET,
      eventTypes: ['payment.paid', 'payment.expired', 'payment.paid'],
      unknown: 'ignored',
    });

    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: 'https://shop.example/hooks?a=1',
      eventTypes: ['payment.paid', 'payment.expired'],
      environment: 'SANDBOX',
      isVerified: false,
      verifiedAt: null,
      isActive: true,
      disabledReason: null,
      failingSince: null,
      secretOverlapEndsAt: null,
      createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
    });
  });

  test.each([
    ['no event types', {}],
    ['an empty list', { eventTypes: [] }],
  ])('%s means all four', async (_, given) => {
    const { body } = await api.register(await aMerchant(service.db), {
      url: 'https://shop.example/',
      secret: SECRET,
      ...given,
    });

    expect(body.eventTypes).toEqual(ALL);
  });

  test.each([
    ['no url', { url: undefined }, 'url'],
    ['a number as url', { url: 7 }, 'url'],
    ['another protocol', { url: 'ftp://shop.example/' }, 'url'],
    ['javascript', { url: 'javascript:alert(1)' }, 'url'],
    ['user info', { url: 'https://a:b@shop.example/' }, 'url'],
    ['a fragment', { url: 'https://shop.example/#x' }, 'url'],
    ['a url beyond 2000 characters', { url: `https://shop.example/${'a'.repeat(2_000)}` }, 'url'],
    ['a private address', { url: 'http://10.0.0.1/' }, 'url'],
    ['the metadata address', { url: 'http://169.254.169.254/latest/meta-data' }, 'url'],
    ['the metadata address in hex', { url: 'http://0xa9fea9fe/' }, 'url'],
    ['a mapped loopback', { url: 'http://[::ffff:127.0.0.2]/' }, 'url'],
    ['a loopback outside of the opened range', { url: 'http://127.0.0.2:9000/' }, 'url'],
    ['a short secret', { secret: 'fifteen-letters' }, 'secret'],
    ['no secret', { secret: undefined }, 'secret'],
    ['an unknown event', { eventTypes: ['payment.paid', 'payment.maybe'] }, 'eventTypes'],
    ['a text as event list', { eventTypes: 'payment.paid' }, 'eventTypes'],
  ])('%s is refused by a sentence that names the field', async (_, over, field) => {
    const { status, body } = await api.register(merchant, { url: 'https://shop.example/', secret: SECRET, ...over });

    expect({ status, error: body.error, statusCode: body.statusCode }).toEqual({
      status: 400,
      error: 'Bad Request',
      statusCode: 400,
    });
    expect(body.message).toHaveLength(1);
    expect(body.message[0]).toContain(field);
  });

  test('LIVE accepts only https to public addresses, also if addresses are opened for SANDBOX', async () => {
    const live = await aMerchant(service.db, 'LIVE');
    const status = async (url: string): Promise<number> => (await api.register(live, { url, secret: SECRET })).status;

    expect(await status('https://shop.example/hooks')).toBe(201);
    expect(await status('http://shop.example/hooks')).toBe(400);
    expect(await status('https://127.0.0.1/hooks')).toBe(400);
    expect(await status('https://localhost/hooks')).toBe(400);
    expect((await api.register(merchant, { url: 'http://127.0.0.1:9000/', secret: SECRET })).status).toBe(201);
  });

  test('reading, listing and deleting are limited to the merchant and environment', async () => {
    const owner = await aMerchant(service.db);
    const { body } = await api.register(owner, { url: 'https://shop.example/', secret: SECRET });
    const others = [
      await aMerchant(service.db),
      { apiKey: await aKey(service.db, { id: owner.id, environment: 'LIVE' }) },
    ];

    for (const other of others) {
      expect(await api.endpoint(other, body.id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(await api.remove(other, body.id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(await api.endpoints(other)).toMatchObject({ status: 200, body: { data: [], total: 0 } });
    }
    expect(await api.endpoint(owner, body.id)).toEqual({ status: 200, body });
    expect((await api.endpoints(owner)).body).toEqual({ data: [body], total: 1, page: 1, limit: 20 });
    expect((await api.endpoint(owner, randomUUID())).status).toBe(404);
    expect((await api.endpoint(owner, 'not-a-uuid')).status).toBe(404);

    expect(await api.remove(owner, body.id)).toEqual({ status: 204, body: undefined });
    expect((await api.endpoint(owner, body.id)).status).toBe(404);
    expect((await api.remove(owner, body.id)).status).toBe(404);
    expect((await api.endpoints(owner)).body.total).toBe(0);
  });

  test('lists are paged, newest first, with at most 100 per page', async () => {
    const owner = await aMerchant(service.db);
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const url = `https://shop${count}.example/`;
      ids.unshift((await api.register(owner, { url, secret: SECRET })).body.id);
    }
    const page = (await api.endpoints(owner, '?page=2&limit=2')).body;

    expect({ ...page, data: page.data.map(({ id }: { id: string }) => id) }).toEqual({
      data: [ids[2]],
      total: 3,
      page: 2,
      limit: 2,
    });
    expect((await api.endpoints(owner, '?limit=500')).body.limit).toBe(100);
    expect((await api.endpoints(owner, '?page=0')).status).toBe(400);
  });

  test('returns 401 without a key and 403 for a key without the scope', async () => {
    const owner = await aMerchant(service.db);
    const reader = { apiKey: await aKey(service.db, owner, ['webhooks:read']) };
    const writer = { apiKey: await aKey(service.db, owner, ['webhooks:write']) };
    const request = { url: 'https://shop.example/', secret: SECRET };

    expect(await api.register(undefined, request)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    expect((await api.deliveries(undefined)).status).toBe(401);
    expect(await api.register(reader, request)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect((await api.endpoints(writer)).status).toBe(403);
    expect((await api.deliveries(writer)).status).toBe(403);
    expect((await api.endpoints(reader)).status).toBe(200);
    expect((await api.register(writer, request)).status).toBe(201);
  });

  test('does not show the secret in responses, logs or the database', async () => {
    const { body } = await api.register(await aMerchant(service.db), { url: 'https://shop.example/', secret: SECRET });
    const rows = await service.db.query('select * from endpoints');

    expect(rows.length).toBeGreaterThan(0);
    for (const text of [body, (await api.endpoints(merchant)).body, rows, service.lines]) {
      expect(JSON.stringify(text)).not.toContain(SECRET);
      expect(JSON.stringify(text)).not.toContain(Buffer.from(SECRET).toString('base64').slice(0, 20));
    }
  });
});
