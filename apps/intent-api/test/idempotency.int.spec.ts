import { randomUUID } from 'node:crypto';
import { eventually, failOnLeaks } from '@pay/testing';
import { merchantApi } from './merchant-api';
import { aMerchant, startService, switchOffReceivers } from './service-under-test';
import type { MerchantUnderTest, ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('idempotency of a create', () => {
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

  it('20 concurrent creates with one key create one intent, and all return it', async () => {
    const idempotencyKey = randomUUID();

    const replies = await Promise.all(Array.from({ length: 20 }, () => api.create(merchant, { idempotencyKey })));

    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([201]));
    expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(1);
    expect(replies.filter((reply) => reply.headers.get('idempotent-replayed') === 'true')).toHaveLength(19);
    expect(await intentsWithKey(idempotencyKey)).toBe(1);
  });

  it('returns the intent for the same parameters in another notation', async () => {
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

  it('returns the intent for metadata with its keys in another order', async () => {
    const idempotencyKey = randomUUID();
    const first = await api.create(merchant, { idempotencyKey, metadata: { a: '1', b: '2' } });

    const again = await api.create(merchant, { idempotencyKey, metadata: { b: '2', a: '1' } });

    expect([again.status, again.body.id, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.body.id,
      'true',
    ]);
  });

  it('compares keys exactly, with case and spaces', async () => {
    const idempotencyKey = randomUUID();
    const keys = [idempotencyKey, idempotencyKey.toUpperCase(), ` ${idempotencyKey}`];

    const replies = await Promise.all(keys.map((key) => api.create(merchant, { idempotencyKey: key })));

    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(3);
  });

  it('accepts one of several concurrent requests with one key and different parameters and refuses the others', async () => {
    const idempotencyKey = randomUUID();

    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => api.create(merchant, { idempotencyKey, amount: 100 + n })),
    );

    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 422)]);
    expect(await intentsWithKey(idempotencyKey)).toBe(1);
  });

  it('returns the current state to a retry', async () => {
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
  ])('answers IDEMPOTENCY_KEY_REUSED for another %s under the same key', async (_field, change) => {
    const idempotencyKey = randomUUID();
    await api.create(merchant, { idempotencyKey });

    const reply = await api.create(merchant, { idempotencyKey, ...change });

    expect(reply).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect(await intentsWithKey(idempotencyKey)).toBe(1);
  });

  it('does not use up a key with a refused request', async () => {
    const idempotencyKey = randomUUID();
    await api.create(merchant, { idempotencyKey, amount: -1 });
    await api.create(merchant, { idempotencyKey, paymentMethod: 'NAGAD_CASHOUT' });

    expect(await api.create(merchant, { idempotencyKey })).toMatchObject({ status: 201 });
  });

  it('treats equal keys of other merchants and environments as independent', async () => {
    const idempotencyKey = randomUUID();
    const other = await aMerchant(service.db);
    const ids = [await api.create(merchant, { idempotencyKey }), await api.create(other, { idempotencyKey })];

    expect(new Set(ids.map((reply) => reply.body.id)).size).toBe(2);
  });

  it('returns the intent to a retry although its receiver was switched off', async () => {
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
