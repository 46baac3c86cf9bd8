import { eventually, failOnLeaks } from '@pay/testing';
import { merchantApi, type Reply } from './merchant-api';
import { aKey, aMerchant, startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

const SETTINGS = {
  RATE_LIMIT_LIVE_PER_SECOND: 40,
  RATE_LIMIT_SANDBOX_PER_SECOND: 10,
  RATE_LIMIT_LIVE_MERCHANT_PER_SECOND: 80,
  RATE_LIMIT_SANDBOX_MERCHANT_PER_SECOND: 20,
  RATE_LIMIT_UNAUTHORIZED_PER_MINUTE: 6,
};

describe('rate limits of the merchant API', () => {
  let service: ServiceUnderTest;
  const api = merchantApi(() => service);

  beforeAll(async () => {
    service = await startService({ limits: SETTINGS });
    await eventually(async () => {
      const { apiKey } = await aMerchant(service.db);
      return (await list(apiKey)).headers.get('ratelimit-remaining') === '9';
    }, 'the process knows that it is alone, so that every key has its whole limit here');
  });
  afterAll(() => service.stop());

  const many = (times: number, send: () => Promise<Reply>) => Promise.all(Array.from({ length: times }, send));
  const list = (apiKey: string, address = '203.0.113.1') =>
    api.call('GET', '/v1/payments/intents?limit=1', { 'x-api-key': apiKey, 'x-forwarded-for': address });
  const counted = (replies: readonly Reply[], status: number) => replies.filter((reply) => reply.status === status);

  it('returns the remaining requests with every response', async () => {
    const { apiKey } = await aMerchant(service.db);
    const { status, headers } = await list(apiKey);

    expect(status).toBe(200);
    expect(headers.get('ratelimit-limit')).toBe('10');
    expect(headers.get('ratelimit-remaining')).toBe('9');
    expect(headers.get('ratelimit-reset')).toBe('1');
    expect(headers.has('retry-after')).toBe(false);
  });

  it('answers 429 RATE_LIMITED with Retry-After beyond the limit of a key, and affects no other key, including those of the same merchant', async () => {
    const noisy = await aMerchant(service.db);
    const other = await aMerchant(service.db);
    const second = await aKey(service.db, noisy);
    await Promise.all([list(noisy.apiKey), list(other.apiKey), list(second)]);

    const replies = await many(120, () => list(noisy.apiKey));
    const refused = counted(replies, 429);
    expect(refused.length).toBeGreaterThanOrEqual(20);
    expect(refused.length + counted(replies, 200).length).toBe(120);
    const last = refused.at(-1)!;
    expect(last.body).toEqual({ code: 'RATE_LIMITED', message: expect.stringContaining('Retry-After') });
    expect(last.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(last.headers.get('ratelimit-limit')).toBe('10');
    expect(last.headers.get('ratelimit-remaining')).toBe('0');
    expect(Number(last.headers.get('ratelimit-reset'))).toBeGreaterThanOrEqual(1);

    expect((await list(other.apiKey)).status).toBe(200);
    expect((await list(second)).status).toBe(200);
    const text = await service.metrics.registry.metrics();
    expect(text).toMatch(/^rate_limited_total\{limit="api_key_sandbox",service="intent-api"\} \d+$/m);
    expect(text).not.toContain(noisy.id);
  });

  it('answers 429 beyond the limit of a merchant over all its keys, and affects no other merchant', async () => {
    const noisy = await aMerchant(service.db);
    const other = await aMerchant(service.db);
    const keys = [noisy.apiKey];
    while (keys.length < 8) keys.push(await aKey(service.db, noisy));
    await Promise.all([...keys, other.apiKey].map((key) => list(key)));

    // No key comes near its own ten per second; together they send 64.
    const replies = (await Promise.all(keys.map((key) => many(8, () => list(key))))).flat();

    const refused = counted(replies, 429);
    expect(refused.length).toBeGreaterThanOrEqual(10);
    expect(refused.length + counted(replies, 200).length).toBe(64);
    expect(refused.at(-1)!.headers.get('ratelimit-limit')).toBe('20');
    expect((await list(other.apiKey)).status).toBe(200);
    expect(await service.metrics.registry.metrics()).toMatch(/^rate_limited_total\{limit="merchant_sandbox"/m);
  });

  it('has a separate limit for LIVE', async () => {
    const { apiKey } = await aMerchant(service.db, { environment: 'LIVE' });
    expect((await list(apiKey)).headers.get('ratelimit-limit')).toBe('40');
  });

  it('counts a request before its body is read', async () => {
    const { apiKey } = await aMerchant(service.db);
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    const replies = await many(120, () => api.call('POST', '/v1/payments/intents', headers, '{'));
    expect(counted(replies, 429).length).toBeGreaterThanOrEqual(20);
    expect(counted(replies, 400).length).toBe(120 - counted(replies, 429).length);
  });

  it('limits an address that guesses keys, but not a merchant behind the same address or another address', async () => {
    const guesser = '203.0.113.99';
    const { apiKey } = await aMerchant(service.db);
    expect((await list(apiKey, guesser)).status).toBe(200);

    const guesses = await many(30, () => list('sk_live_0123456789abcdefghijklmnopqrstuv', guesser));
    expect(counted(guesses, 401).length).toBeGreaterThanOrEqual(6);
    const refused = await list('sk_live_0123456789abcdefghijklmnopqrstuv', guesser);
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);

    expect((await list(apiKey, guesser)).status).toBe(200);
    expect((await list('sk_live_0123456789abcdefghijklmnopqrstuv', '203.0.113.98')).status).toBe(401);
    // The header of the proxy is used, not that of the client.
    const forged = `198.51.100.1, ${guesser}`;
    expect((await list('sk_live_0123456789abcdefghijklmnopqrstuv', forged)).status).toBe(429);
  });
});
