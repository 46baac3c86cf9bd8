import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { internalIntentSchema, type ServiceName } from '@pay/contracts';
import { serviceClient, ServiceCallFailed } from '@pay/http';
import { dumpSchema } from '@pay/persistence';
import { failOnLeaks, librarySchemas } from '@pay/testing';
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
    it('returns the intent as it was returned at creation', async () => {
      const created = await api.create(merchant, { metadata: { a: '1' } });

      expect(await api.get(merchant, created.body.id)).toMatchObject({ status: 200, body: created.body });
    });

    it('finds an intent by its id in upper case', async () => {
      const { body } = await api.create(merchant);

      expect((await api.get(merchant, body.id.toUpperCase())).body).toEqual(body);
    });

    it('answers 404 for an id of another merchant or environment, an unknown id and an invalid id', async () => {
      const { body } = await api.create(merchant);
      const otherMerchant = await aMerchant(service.db);
      const live = { apiKey: await aKey(service.db, { id: merchant.id, environment: 'LIVE' }) };

      const replies = await Promise.all([
        api.get(otherMerchant, body.id),
        api.get(live, body.id),
        api.get(merchant, randomUUID()),
        api.get(merchant, 'not-a-uuid'),
        api.get(merchant, "1'%20or%20'1'='1"),
      ]);

      expect(replies.map((reply) => [reply.status, reply.body.code])).toEqual(
        Array.from({ length: 5 }, () => [404, 'NOT_FOUND']),
      );
    });

    it('answers 403 for a write-only key', async () => {
      const apiKey = await aKey(service.db, merchant, ['payments:write']);

      expect((await api.get({ apiKey }, randomUUID())).status).toBe(403);
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

    it.each(['checkout-api', 'reconciler', 'dashboard-api'] as const)(
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

    it('answers 404 for an unknown id', async () => {
      expect(await ask('reconciler', PEER_SECRETS.reconciler, randomUUID())).toBe(404);
    });

    it('answers 401 for the secret of another pair of services', async () => {
      expect(await ask('reconciler', PEER_SECRETS['checkout-api'], randomUUID())).toBe(401);
    });

    it('is not reachable through the public port', async () => {
      const { body } = await api.create(merchant);

      expect((await api.call('GET', `/internal/v1/intents/${body.id}`, {})).status).toBe(404);
    });
  });

  describe('the database', () => {
    it('has the schema of schema.sql', async () => {
      const written = readFileSync(join(__dirname, '../src/db/schema.sql'), 'utf8');

      expect(await dumpSchema(service.databaseUrl, librarySchemas())).toBe(written);
    });

    it.each([
      ['a final status to be left', `update payment_intents set status = 'PENDING', paid_at = null`, 'PAID'],
      ['a rejected intent to be paid', `update payment_intents set status = 'PAID', paid_at = now()`, 'REJECTED'],
      ['an amount to be changed', 'update payment_intents set amount = amount + 1', 'PENDING'],
      ['a payment without its time', `update payment_intents set status = 'PAID'`, 'PENDING'],
    ])('does not allow %s', async (_case, sql, status) => {
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
