import { randomUUID } from 'node:crypto';
import { PublicApi } from '../src/merchant-client';
import { readSystem, type MerchantAccess } from '../src/system';

interface ErrorBody {
  readonly statusCode?: number;
  readonly message?: string | string[];
  readonly error?: string;
  readonly code?: string;
}

describe('hostile input gets the documented answers', () => {
  const system = readSystem(process.env['E2E_RUN_DIRECTORY'] ?? '.run');
  const access = system.merchants[0]?.sandbox as MerchantAccess;
  const otherMerchant = system.merchants[1]?.sandbox as MerchantAccess;
  const api = new PublicApi(system.baseUrl);

  afterAll(() => api.close());

  const valid = () => ({ amount: 10, idempotencyKey: randomUUID(), paymentMethod: 'BKASH_SEND_MONEY' });
  const create = (body: unknown, headers: Record<string, string> = { 'x-api-key': access.apiKey }) =>
    api.call<ErrorBody>('POST', '/v1/payments/intents', headers, body);

  test('malformed JSON is a validation error', async () => {
    expect(await create('{"amount": 10,')).toMatchObject({
      status: 400,
      body: { statusCode: 400, error: 'Bad Request' },
    });
  });

  test.each([
    ['amount', { amount: { $gt: 0 } }],
    ['amount', { amount: 10.123 }],
    ['amount', { amount: -5 }],
    ['amount', { amount: 0.1 + 0.2 }],
    ['idempotencyKey', { idempotencyKey: 7 }],
    ['currency', { currency: 'USD' }],
    ['ttlSeconds', { ttlSeconds: '300' }],
    ['customerReference', { customerReference: 'x'.repeat(17) }],
    ['paymentMethod', { paymentMethod: 'ROCKET' }],
    ['language', { language: 'fr' }],
    ['successUrl', { successUrl: 'javascript:alert(1)' }],
    ['failedUrl', { failedUrl: 'data:text/html,x' }],
    ['cancelUrl', { cancelUrl: 'file:///etc/passwd' }],
    ['expiredUrl', { expiredUrl: '/relative' }],
    ['metadata', { metadata: { a: { b: 1 } } }],
  ])('a bad %s is refused with a sentence that names it', async (field, change) => {
    const reply = await create({ ...valid(), ...change });

    expect(reply).toMatchObject({ status: 400, body: { statusCode: 400, error: 'Bad Request' } });
    expect(reply.body.message).toEqual(expect.arrayContaining([expect.stringContaining(field)]));
  });

  test.each([['null'], ['[]'], ['"text"'], ['42']])('a body of %s is refused', async (body) => {
    expect((await create(body)).status).toBe(400);
  });

  test('a missing and an unknown API key are 401', async () => {
    expect(await create(valid(), {})).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
    expect(await create(valid(), { 'x-api-key': `sk_test_${'A'.repeat(38)}` })).toMatchObject({ status: 401 });
  });

  test("another merchant's and another environment's intent do not exist", async () => {
    const intent = await api.createIntent(access, valid());
    const live = system.merchants[0]?.live as MerchantAccess;

    expect(await api.getIntent(otherMerchant, intent.body.id)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
    expect(await api.getIntent(live, intent.body.id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect((await api.getIntent(access, 'not-a-uuid')).status).toBe(404);
  });

  test('other parameters under a used idempotency key are refused', async () => {
    const fields = valid();
    await api.createIntent(access, fields);

    expect(await create({ ...fields, amount: 11 })).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
  });

  test('a method without a receiver account is RECEIVER_ACCOUNT_NOT_CONFIGURED', async () => {
    const reply = await create({ ...valid(), paymentMethod: 'NAGAD_CASHOUT' }, { 'x-api-key': otherMerchant.apiKey });
    expect(reply).toMatchObject({ status: 422, body: { code: 'RECEIVER_ACCOUNT_NOT_CONFIGURED' } });
  });

  test('a body over the limit is 413 and another content type is 415', async () => {
    expect(await create({ ...valid(), metadata: { a: 'x'.repeat(70_000) } })).toMatchObject({ status: 413 });
    const response = await fetch(`${system.baseUrl}/v1/payments/intents`, {
      method: 'POST',
      headers: { 'x-api-key': access.apiKey, 'content-type': 'text/plain' },
      body: 'amount=10',
    });
    expect(response.status).toBe(415);
  });

  test('SMS intake refuses a missing device key and names bad fields', async () => {
    const missing = await api.call<ErrorBody>('POST', '/v1/sms-events/incoming', {}, { sender: 'bKash' });
    expect(missing.status).toBe(401);
    const bad = await api.call<ErrorBody>(
      'POST',
      '/v1/sms-events/incoming',
      { 'x-device-key': access.deviceKey },
      { sender: 5 },
    );
    expect(bad.status).toBe(400);
    expect(String(bad.body.message)).toContain('sender');
    expect(String(bad.body.message)).toContain('message');
    expect(String(bad.body.message)).toContain('receivedAt');
  });

  test('a TrxID that is none is refused, and an unknown intent is 404', async () => {
    const intent = await api.createIntent(access, valid());
    expect((await api.confirm(intent.body.id, '<script>')).status).toBe(400);
    expect((await api.confirm(randomUUID(), 'DKL1234567')).status).toBe(404);
  });

  test('internal routes, health and metrics are not reachable through the public origin', async () => {
    for (const path of ['/internal/v1/intents/x', '/metrics', '/readyz', '/livez']) {
      expect((await fetch(`${system.baseUrl}${path}`)).status).toBe(404);
    }
  });
});
