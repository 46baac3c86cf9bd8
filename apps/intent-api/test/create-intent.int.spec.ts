import { randomUUID } from 'node:crypto';
import { createIntentRequestSchema, decodeEvent, REFERENCE_ALPHABET } from '@pay/contracts';
import { eventually, failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { newIntent } from '../src/domain/new-intent';
import { storeIntents } from '../src/store-intents';
import { merchantApi } from './merchant-api';
import { aKey, aMerchant, BKASH, CHECKOUT_URL, NAGAD, startService, switchOffReceivers } from './service-under-test';
import type { MerchantUnderTest, ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('POST /v1/payments/intents', () => {
  let service: ServiceUnderTest;
  let merchant: MerchantUnderTest;
  const api = merchantApi(() => service);

  beforeAll(async () => {
    service = await startService();
    merchant = await aMerchant(service.db);
  });
  afterAll(() => service.stop());

  const intentsWithKey = async (idempotencyKey: string) => {
    const sql = 'select id from payment_intents where idempotency_key = $1';
    return (await service.db.query<{ id: string }>(sql, [idempotencyKey])).length;
  };

  describe('a valid request', () => {
    it('is answered with the whole intent, PENDING, with a receiver and an expiry', async () => {
      const before = Date.now();
      const { status, body, headers } = await api.create(merchant, { amount: 1250.5, merchantReference: 'order-7' });

      expect(status).toBe(201);
      expect(headers.get('idempotent-replayed')).toBeNull();
      expect(body).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        environment: 'SANDBOX',
        amount: '1250.5',
        currency: 'BDT',
        status: 'PENDING',
        customerReference: expect.any(String),
        merchantReference: 'order-7',
        paymentMethod: 'BKASH_SEND_MONEY',
        receiverMsisdn: BKASH.msisdn,
        checkoutUrl: `${CHECKOUT_URL}/${body.id}`,
        expiresAt: expect.any(String),
        createdAt: expect.any(String),
        paidAt: null,
        expiredAt: null,
        failedAt: null,
        rejectedAt: null,
        reviewRequiredAt: null,
        failureReason: null,
        metadata: null,
      });
      expect(Date.parse(body.expiresAt) - Date.parse(body.createdAt)).toBe(300_000);
      expect(Math.abs(Date.parse(body.createdAt) - before)).toBeLessThan(5_000);
    });

    it('gets a generated reference of ten characters without look-alikes', async () => {
      const { body } = await api.create(merchant);

      expect(body.customerReference).toHaveLength(10);
      expect(Array.from(body.customerReference as string).every((c) => REFERENCE_ALPHABET.includes(c))).toBe(true);
    });

    it('announces intent.created with the full state, by the contract, in the same transaction', async () => {
      const { body } = await api.create(merchant, {
        metadata: { cart: '9' },
        customerId: 'c-1',
        paymentMethod: 'bkash_send_money',
      });

      const events = (await service.announced()).filter((event) => event.aggregateId === body.id);
      expect(events).toHaveLength(1);
      expect(decodeEvent(JSON.stringify(events[0]))).toMatchObject({
        type: 'intent.created',
        sequence: 1,
        merchantId: merchant.id,
        environment: 'SANDBOX',
        data: {
          intent: {
            id: body.id,
            amount: '500',
            status: 'PENDING',
            customerId: 'c-1',
            metadata: { cart: '9' },
            methodFixed: true,
            shownReceivers: [{ paymentMethod: 'BKASH_SEND_MONEY', receiverMsisdn: BKASH.msisdn }],
            createdAt: body.createdAt,
            expiresAt: body.expiresAt,
          },
        },
      });
    });

    it('leaves one line in the log that names the intent and no phone number', async () => {
      const { body } = await api.create(merchant);

      const lines = service.lines.filter((line) => line['msg'] === 'intent.created' && line['intentId'] === body.id);
      expect(lines).toHaveLength(1);
      expect(JSON.stringify(service.lines)).not.toContain(BKASH.msisdn);
    });

    it('keeps every optional field, text of any script included', async () => {
      const metadata = { মন্তব্য: 'ধন্যবাদ 🙏', quote: `'";--` };
      const { body } = await api.create(merchant, {
        merchantReference: 'অর্ডার ৭',
        metadata,
        language: 'bn',
        ttlSeconds: 60,
      });

      const read = await api.get(merchant, body.id);
      expect(read.body).toMatchObject({ merchantReference: 'অর্ডার ৭', metadata });
      expect(read.body).toEqual(body);
      expect(body.checkoutUrl).toBe(`${CHECKOUT_URL}/${body.id}?language=bn`);
    });
  });

  describe('idempotency', () => {
    it('20 concurrent creates with one key make one intent, and all get it', async () => {
      const idempotencyKey = randomUUID();

      const replies = await Promise.all(Array.from({ length: 20 }, () => api.create(merchant, { idempotencyKey })));

      expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([201]));
      expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(1);
      expect(replies.filter((reply) => reply.headers.get('idempotent-replayed') === 'true')).toHaveLength(19);
      expect(await intentsWithKey(idempotencyKey)).toBe(1);
    });

    it('the same request in other words is a replay', async () => {
      const idempotencyKey = randomUUID();
      const first = await api.create(merchant, { idempotencyKey, paymentMethod: 'BKASH_SEND_MONEY', amount: 500 });

      const again = await api.create(merchant, {
        idempotencyKey,
        paymentMethod: 'bkash_send_money',
        amount: '500.00',
        currency: 'BDT',
        ttlSeconds: 300,
        merchantReference: null,
      });

      expect(again.status).toBe(201);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.body).toEqual(first.body);
    });

    it('a replay answers the current state', async () => {
      const idempotencyKey = randomUUID();
      const first = await api.create(merchant, { idempotencyKey });
      await service.db.execute(`update payment_intents set status = 'EXPIRED' where id = $1`, [first.body.id]);

      expect((await api.create(merchant, { idempotencyKey })).body).toMatchObject({
        id: first.body.id,
        status: 'EXPIRED',
      });
    });

    it.each([
      ['amount', { amount: 501 }],
      ['reference', { customerReference: 'OTHER-1' }],
      ['language', { language: 'en' }],
    ])('another %s under the same key is IDEMPOTENCY_KEY_REUSED', async (_field, change) => {
      const idempotencyKey = randomUUID();
      await api.create(merchant, { idempotencyKey });

      const reply = await api.create(merchant, { idempotencyKey, ...change });

      expect(reply).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
      expect(await intentsWithKey(idempotencyKey)).toBe(1);
    });

    it('a refused request does not burn its key', async () => {
      const idempotencyKey = randomUUID();
      await api.create(merchant, { idempotencyKey, amount: -1 });
      await api.create(merchant, { idempotencyKey, paymentMethod: 'NAGAD_CASHOUT' });

      expect(await api.create(merchant, { idempotencyKey })).toMatchObject({ status: 201 });
    });

    it("another merchant's and another environment's equal key is another key", async () => {
      const idempotencyKey = randomUUID();
      const other = await aMerchant(service.db);
      const ids = [await api.create(merchant, { idempotencyKey }), await api.create(other, { idempotencyKey })];

      expect(new Set(ids.map((reply) => reply.body.id)).size).toBe(2);
    });

    it('a replay is answered even if the receiver has been switched off since', async () => {
      const idempotencyKey = randomUUID();
      const closing = await aMerchant(service.db);
      const first = await api.create(closing, { idempotencyKey });
      await switchOffReceivers(service, closing.id);
      const refused = await eventually(async () => {
        const reply = await api.create(closing);
        return reply.status !== 201 && reply;
      }, 'the receiver is closed');

      expect((await api.create(closing, { idempotencyKey })).body.id).toBe(first.body.id);
      expect(await api.create(closing, { idempotencyKey, amount: 7 })).toMatchObject({
        status: 422,
        body: { code: 'IDEMPOTENCY_KEY_REUSED' },
      });
      expect(refused).toMatchObject({ status: 422, body: { code: 'RECEIVER_ACCOUNT_NOT_CONFIGURED' } });
    });
  });

  describe('customer reference', () => {
    it('is taken when another intent has it in another spelling', async () => {
      await api.create(merchant, { customerReference: 'inv-1001' });

      expect(await api.create(merchant, { customerReference: 'INV 1001' })).toMatchObject({
        status: 409,
        body: { code: 'CUSTOMER_REFERENCE_TAKEN' },
      });
    });

    it('is free for another merchant', async () => {
      const other = await aMerchant(service.db);
      await api.create(merchant, { customerReference: 'INV-1002' });

      expect(await api.create(other, { customerReference: 'INV-1002' })).toMatchObject({ status: 201 });
    });

    it('that is taken by the very intent of the same key is a replay', async () => {
      const fields = { idempotencyKey: randomUUID(), customerReference: 'INV-1003' };
      const first = await api.create(merchant, fields);

      const again = await api.create(merchant, fields);

      expect([again.status, again.body.id, again.headers.get('idempotent-replayed')]).toEqual([
        201,
        first.body.id,
        'true',
      ]);
    });

    it('that is generated and already taken is generated again', async () => {
      await api.create(merchant, { customerReference: 'TAKEN-1' });
      const request = createIntentRequestSchema.parse({ amount: 5, idempotencyKey: randomUUID() });
      const intent = (customerReference: string) =>
        newIntent(request, { id: uuidv7(), now: new Date(), customerReference, receiver: undefined });
      const tenant = { merchantId: merchant.id, environment: merchant.environment };
      const store = (references: string[]) => {
        const anotherReference = () => references.shift() ?? 'TAKEN-1';
        const given = { tenant, idempotencyKey: randomUUID(), parametersHash: 'x', intent: intent(anotherReference()) };
        return service.db.transaction((tx) => storeIntents(service, tx, [{ ...given, anotherReference }]));
      };

      expect(await store(['TAKEN-1', 'taken 1', 'FREE-1'])).toMatchObject([
        { kind: 'created', stored: { intent: { customerReference: 'FREE-1' } } },
      ]);
      expect(await store([])).toEqual([{ kind: 'reference_taken' }]);
    });

    it('20 concurrent requests for one reference make one intent and 19 refusals', async () => {
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => api.create(merchant, { customerReference: 'RACE-1' })),
      );

      const statuses = replies.map((reply) => reply.status).sort();
      expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    });
  });

  describe('choice of the receiver', () => {
    it('takes the receivers of a method in turn', async () => {
      const numbers = ['01700000011', '01700000012', '01700000013'];
      const receivers = numbers.map((msisdn) => ({ ...BKASH, msisdn }));
      const busy = await aMerchant(service.db, { receivers });

      const used: string[] = [];
      for (let i = 0; i < 6; i += 1) used.push((await api.create(busy)).body.receiverMsisdn);

      expect(used).toEqual([...numbers, ...numbers]);
    });

    it('leaves method and receiver open when the customer has a choice', async () => {
      const wide = await aMerchant(service.db, { receivers: [BKASH, NAGAD] });

      expect((await api.create(wide)).body).toMatchObject({ paymentMethod: null, receiverMsisdn: null });
    });

    it('takes the receiver of the method that the merchant named', async () => {
      const wide = await aMerchant(service.db, { receivers: [BKASH, NAGAD] });

      expect((await api.create(wide, { paymentMethod: 'nagad_send_money' })).body.receiverMsisdn).toBe(NAGAD.msisdn);
    });

    it.each([
      ['no receiver at all', { receivers: [] }, {}],
      ['none of the named method', {}, { paymentMethod: 'NAGAD_SEND_MONEY' }],
      ['only one that is switched off', { receivers: [{ ...BKASH, isActive: false }] }, {}],
      ['one of a method that is not enabled', { enabledMethods: [] }, {}],
    ])('with %s is RECEIVER_ACCOUNT_NOT_CONFIGURED', async (_case, given, fields) => {
      const closed = await aMerchant(service.db, given);

      expect(await api.create(closed, fields)).toMatchObject({
        status: 422,
        body: { code: 'RECEIVER_ACCOUNT_NOT_CONFIGURED' },
      });
    });
  });

  describe('hostile input', () => {
    const headers = () => ({ 'x-api-key': merchant.apiKey, 'content-type': 'application/json' });
    const post = (body: string) => api.call('POST', '/v1/payments/intents', headers(), body);

    it.each(['', '{', '[]', 'null', '"x"', '42', '{"amount":', '{"__proto__":1}', '\u0000'])(
      'a body of %j is 400',
      async (body) => {
        const reply = await post(body);

        expect(reply).toMatchObject({
          status: 400,
          body: { statusCode: 400, error: 'Bad Request', message: expect.any(Array) },
        });
      },
    );

    it.each([
      ['amount', { amount: undefined }],
      ['amount', { amount: null }],
      ['amount', { amount: 10.123 }],
      ['amount', { amount: 0.1 + 0.2 }],
      ['amount', { amount: 0 }],
      ['amount', { amount: -1 }],
      ['amount', { amount: 10_000_000 }],
      ['amount', { amount: 1e21 }],
      ['amount', { amount: '1e3' }],
      ['amount', { amount: ' 5' }],
      ['amount', { amount: [5] }],
      ['amount', { amount: true }],
      ['idempotencyKey', { idempotencyKey: undefined }],
      ['idempotencyKey', { idempotencyKey: '' }],
      ['idempotencyKey', { idempotencyKey: 'x'.repeat(256) }],
      ['idempotencyKey', { idempotencyKey: { $ne: 1 } }],
      ['currency', { currency: 'USD' }],
      ['merchantReference', { merchantReference: 'x'.repeat(256) }],
      ['merchantReference', { merchantReference: 'a\u0000b' }],
      ['merchantReference', { merchantReference: '\ud800' }],
      ['customerReference', { customerReference: 'x'.repeat(17) }],
      ['customerReference', { customerReference: '   ' }],
      ['customerReference', { customerReference: '<b>' }],
      ['paymentMethod', { paymentMethod: 'ROCKET' }],
      ['paymentMethod', { paymentMethod: ['BKASH_PAYMENT'] }],
      ['language', { language: 'fr' }],
      ['customerId', { customerId: 7 }],
      ['expectedTrxId', { expectedTrxId: "'; drop table" }],
      ['ttlSeconds', { ttlSeconds: 59 }],
      ['ttlSeconds', { ttlSeconds: 86_401 }],
      ['ttlSeconds', { ttlSeconds: 60.5 }],
      ['ttlSeconds', { ttlSeconds: '300' }],
      ['successUrl', { successUrl: 'javascript:alert(1)' }],
      ['failedUrl', { failedUrl: 'data:text/html,x' }],
      ['cancelUrl', { cancelUrl: 'file:///etc/passwd' }],
      ['expiredUrl', { expiredUrl: '/relative' }],
      ['successUrl', { successUrl: 'https://user:pass@shop.example/' }],
      ['successUrl', { successUrl: `https://shop.example/${'x'.repeat(2_000)}` }],
      ['successUrl', { successUrl: 'https://shop.example/\u0000' }],
      ['metadata', { metadata: { a: { b: 1 } } }],
      ['metadata', { metadata: ['a'] }],
      ['metadata', { metadata: { 'a\u0000': 'b' } }],
      ['metadata', { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, 'v'])) }],
    ])('a bad %s is 400 with a sentence that names it (%j)', async (field, change) => {
      const reply = await post(JSON.stringify({ amount: 10, idempotencyKey: randomUUID(), ...change }));

      expect(reply).toMatchObject({ status: 400, body: { statusCode: 400, error: 'Bad Request' } });
      expect(reply.body.message).toEqual(expect.arrayContaining([expect.stringContaining(field)]));
    });

    it('unknown fields, an environment among them, are ignored', async () => {
      const reply = await api.create(merchant, { environment: 'LIVE', status: 'PAID', id: randomUUID() });

      expect(reply).toMatchObject({ status: 201, body: { environment: 'SANDBOX', status: 'PENDING' } });
    });

    it('another content type is 415, and a body over 64 KiB is 413', async () => {
      const text = await api.call(
        'POST',
        '/v1/payments/intents',
        { ...headers(), 'content-type': 'text/plain' },
        'amount=5',
      );
      const large = await post(JSON.stringify({ amount: 1, idempotencyKey: 'k', customerId: 'x'.repeat(70_000) }));

      expect([text.status, large.status]).toEqual([415, 413]);
    });
  });

  describe('credentials', () => {
    it.each([
      ['none', undefined],
      ['an unknown one', `sk_test_${'A'.repeat(38)}`],
      ['a device key', `dk_test_${'A'.repeat(38)}`],
      ['nonsense', '\u00e9'],
    ])('%s is 401', async (_case, apiKey) => {
      const headers: Record<string, string> = apiKey === undefined ? {} : { 'x-api-key': apiKey };

      expect(await api.call('POST', '/v1/payments/intents', headers)).toMatchObject({
        status: 401,
        body: { code: 'UNAUTHORIZED' },
      });
    });

    it('a key that may only read is 403 for a create', async () => {
      const apiKey = await aKey(service.db, merchant, ['payments:read']);

      expect(await api.create({ apiKey })).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    });

    it('a key of a merchant that is switched off is 401', async () => {
      const closed = await aMerchant(service.db, { isActive: false });

      expect(await api.create(closed)).toMatchObject({ status: 401 });
    });

    it('a live key is not lent the receivers of SANDBOX', async () => {
      const apiKey = await aKey(service.db, { id: merchant.id, environment: 'LIVE' });

      expect(await api.create({ apiKey })).toMatchObject({
        status: 422,
        body: { code: 'RECEIVER_ACCOUNT_NOT_CONFIGURED' },
      });
    });
  });
});
