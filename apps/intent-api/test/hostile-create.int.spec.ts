import { randomUUID } from 'node:crypto';
import { failOnLeaks } from '@pay/testing';
import { merchantApi } from './merchant-api';
import { aMerchant, startService } from './service-under-test';
import type { MerchantUnderTest, ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('hostile input to a create', () => {
  let service: ServiceUnderTest;
  let merchant: MerchantUnderTest;
  const api = merchantApi(() => service);

  beforeAll(async () => {
    service = await startService();
    merchant = await aMerchant(service.db);
  });
  afterAll(() => service.stop());

  const headers = () => ({ 'x-api-key': merchant.apiKey, 'content-type': 'application/json' });
  const post = (body: string) => api.call('POST', '/v1/payments/intents', headers(), body);

  it.each(['', '{', '[]', 'null', '"x"', '42', '{"amount":', '{"__proto__":1}', '\u0000'])(
    'answers 400 for a body of %j',
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
  ])('answers 400 with a sentence that names %s if it is invalid (%j)', async (field, change) => {
    const reply = await post(JSON.stringify({ amount: 10, idempotencyKey: randomUUID(), ...change }));

    expect(reply).toMatchObject({ status: 400, body: { statusCode: 400, error: 'Bad Request' } });
    expect(reply.body.message).toEqual(expect.arrayContaining([expect.stringContaining(field)]));
  });

  it('ignores unknown fields, including environment', async () => {
    const reply = await api.create(merchant, { environment: 'LIVE', status: 'PAID', id: randomUUID() });

    expect(reply).toMatchObject({ status: 201, body: { environment: 'SANDBOX', status: 'PENDING' } });
  });

  it('answers 415 to another content type and 413 to a body over 64 KiB', async () => {
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
