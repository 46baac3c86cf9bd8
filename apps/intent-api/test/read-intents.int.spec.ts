import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { internalIntentSchema, type ServiceName } from '@pay/contracts';
import { serviceClient, ServiceCallFailed } from '@pay/http';
import { dumpSchema } from '@pay/persistence';
import { failOnLeaks } from '@pay/testing';
import { merchantApi } from './merchant-api';
import { aKey, aMerchant, BKASH, NAGAD, PEER_SECRETS, startService } from './service-under-test';
import type { MerchantUnderTest, ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('reading intents', () => {
  let service: ServiceUnderTest;
  let merchant: MerchantUnderTest;
  const api = merchantApi(() => service);

  beforeAll(async () => {
    service = await startService();
    merchant = await aMerchant(service.db);
  });
  afterAll(() => service.stop());

  describe('GET /v1/payments/intents/:id', () => {
    it('answers the intent as its creation did', async () => {
      const created = await api.create(merchant, { metadata: { a: '1' } });

      expect(await api.get(merchant, created.body.id)).toMatchObject({ status: 200, body: created.body });
    });

    it("is 404 for another merchant's, another environment's, an unknown and an impossible id", async () => {
      const { body } = await api.create(merchant);
      const stranger = await aMerchant(service.db);
      const live = { apiKey: await aKey(service.db, { id: merchant.id, environment: 'LIVE' }) };

      const replies = await Promise.all([
        api.get(stranger, body.id),
        api.get(live, body.id),
        api.get(merchant, randomUUID()),
        api.get(merchant, 'not-a-uuid'),
        api.get(merchant, "1'%20or%20'1'='1"),
      ]);

      expect(replies.map((reply) => [reply.status, reply.body.code])).toEqual(
        Array.from({ length: 5 }, () => [404, 'NOT_FOUND']),
      );
    });

    it('is 403 for a key that may only write', async () => {
      const apiKey = await aKey(service.db, merchant, ['payments:write']);

      expect((await api.get({ apiKey }, randomUUID())).status).toBe(403);
    });
  });

  describe('GET /v1/payments/intents', () => {
    let owner: MerchantUnderTest;
    let newestFirst: string[];

    beforeAll(async () => {
      owner = await aMerchant(service.db);
      newestFirst = [];
      for (let i = 0; i < 25; i += 1) newestFirst.unshift((await api.create(owner)).body.id);
      const paid = newestFirst.slice(0, 3);
      await service.db.execute(`update payment_intents set status = 'PAID', paid_at = now() where id = any($1)`, [
        paid,
      ]);
    });

    const ids = (body: { data: { id: string }[] }) => body.data.map((intent) => intent.id);

    it('answers the newest twenty, the exact total, page and limit', async () => {
      const { status, body } = await api.list(owner);

      expect(status).toBe(200);
      expect(body).toMatchObject({ total: 25, page: 1, limit: 20 });
      expect(ids(body)).toEqual(newestFirst.slice(0, 20));
      expect(body.data[0]).toEqual((await api.get(owner, newestFirst[0] ?? '')).body);
    });

    it('pages through all of them without a gap or a repeat', async () => {
      const pages = await Promise.all([1, 2, 3].map((page) => api.list(owner, `?page=${page}&limit=10`)));

      expect(pages.flatMap((page) => ids(page.body))).toEqual(newestFirst);
    });

    it('intents of one instant keep one order', async () => {
      const twin = await aMerchant(service.db);
      for (let i = 0; i < 5; i += 1) await api.create(twin);
      await service.db.execute('alter table payment_intents disable trigger payment_intents_fixed_terms');
      await service.db.execute(
        `update payment_intents set created_at = '2026-01-01', expires_at = '2026-01-02' where merchant_id = $1`,
        [twin.id],
      );
      await service.db.execute('alter table payment_intents enable trigger payment_intents_fixed_terms');

      const whole = ids((await api.list(twin)).body);
      const apart = await Promise.all([1, 2, 3, 4, 5].map((page) => api.list(twin, `?limit=1&page=${page}`)));

      expect(apart.flatMap((page) => ids(page.body))).toEqual(whole);
      expect(whole).toEqual([...whole].sort().reverse());
    });

    it('filters by status, with a total of its own', async () => {
      const { body } = await api.list(owner, '?status=PAID');

      expect({ total: body.total, ids: ids(body) }).toEqual({ total: 3, ids: newestFirst.slice(0, 3) });
    });

    it('a page past the end is empty and keeps its total', async () => {
      expect((await api.list(owner, '?page=4')).body).toEqual({ data: [], total: 25, page: 4, limit: 20 });
    });

    it('a limit above a hundred is answered with a hundred, and says so', async () => {
      expect((await api.list(owner, '?limit=5000')).body.limit).toBe(100);
    });

    it.each([
      '?page=0',
      '?page=-1',
      '?page=x',
      '?limit=0',
      '?limit=1.5',
      '?status=paid',
      '?status=CANCELLED',
      '?status=PAID&status=PENDING',
      '?page=99999999999999999999',
    ])('%s is 400', async (query) => {
      expect(await api.list(owner, query)).toMatchObject({
        status: 400,
        body: { statusCode: 400, error: 'Bad Request' },
      });
    });

    it('shows nothing of another merchant and of the other environment', async () => {
      const stranger = await aMerchant(service.db);
      const live = { apiKey: await aKey(service.db, { id: owner.id, environment: 'LIVE' }) };

      expect([(await api.list(stranger)).body.total, (await api.list(live)).body.total]).toEqual([0, 0]);
    });
  });

  describe('GET /internal/v1/intents/:id', () => {
    const ask = async (issuer: ServiceName, secret: string, id: string) => {
      const client = serviceClient({ issuer, audience: 'intent-api', secret, baseUrl: service.internalUrl });
      const answer = await client
        .request('GET', `/internal/v1/intents/${id}`, { schema: internalIntentSchema })
        .catch((error: unknown) => (error instanceof ServiceCallFailed ? error.status : error));
      await client.close();
      return answer;
    };

    it.each(['checkout-api', 'reconciler'] as const)(
      'answers %s with the committed state and its sequence',
      async (issuer) => {
        const { body } = await api.create(await aMerchant(service.db, { receivers: [BKASH, NAGAD] }), {
          expectedTrxId: 'dkl4a1b2c3',
        });

        expect(await ask(issuer, PEER_SECRETS[issuer], body.id)).toMatchObject({
          environment: 'SANDBOX',
          sequence: 1,
          intent: {
            id: body.id,
            status: 'PENDING',
            expectedTrxId: 'DKL4A1B2C3',
            shownReceivers: [],
            methodFixed: false,
          },
        });
      },
    );

    it('is 404 for an id that is not there', async () => {
      expect(await ask('reconciler', PEER_SECRETS.reconciler, randomUUID())).toBe(404);
    });

    it("is 401 with another pair's secret", async () => {
      expect(await ask('reconciler', PEER_SECRETS['checkout-api'], randomUUID())).toBe(401);
    });

    it('is not reachable through the public port', async () => {
      const { body } = await api.create(merchant);

      expect((await api.call('GET', `/internal/v1/intents/${body.id}`, {})).status).toBe(404);
    });
  });

  describe('the database', () => {
    it('has the schema that is written down in schema.sql', async () => {
      const written = readFileSync(join(__dirname, '../src/db/schema.sql'), 'utf8');

      expect(await dumpSchema(service.databaseUrl)).toBe(written);
    });

    it.each([
      ['a final status to be left', `update payment_intents set status = 'PENDING', paid_at = null`, 'PAID'],
      ['a rejected intent to be paid', `update payment_intents set status = 'PAID', paid_at = now()`, 'REJECTED'],
      ['an amount to be changed', 'update payment_intents set amount = amount + 1', 'PENDING'],
      ['a payment without its time', `update payment_intents set status = 'PAID'`, 'PENDING'],
    ])('does not allow %s, whoever writes', async (_case, sql, status) => {
      const { body } = await api.create(merchant);
      if (status === 'PAID')
        await service.db.execute(`update payment_intents set status = 'PAID', paid_at = now() where id = $1`, [
          body.id,
        ]);
      if (status === 'REJECTED') {
        await service.db.execute(`update payment_intents set status = 'REVIEW_REQUIRED' where id = $1`, [body.id]);
        await service.db.execute(`update payment_intents set status = 'REJECTED' where id = $1`, [body.id]);
      }

      await expect(service.db.execute(`${sql} where id = $1`, [body.id])).rejects.toMatchObject({ code: '23514' });
    });
  });
});
