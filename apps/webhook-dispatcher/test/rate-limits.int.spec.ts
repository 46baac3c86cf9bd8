import { failOnLeaks } from '@pay/testing';
import { aMerchant, startService, type ServiceUnderTest } from './service-under-test';
import { webhookApi } from './webhook-api';

failOnLeaks();

describe('rate limits of webhook management', () => {
  let service: ServiceUnderTest;
  const api = webhookApi(() => service);

  beforeAll(async () => {
    service = await startService({ limits: { RATE_LIMIT_SANDBOX_PER_SECOND: 10 } });
  });
  afterAll(() => service.stop());

  it('returns 429 to a key above its limit and not to another key, on every route', async () => {
    const [noisy, quiet] = [await aMerchant(service.db), await aMerchant(service.db)];
    const replies = await Promise.all(
      Array.from({ length: 120 }, (_, number) => (number % 2 ? api.endpoints(noisy) : api.deliveries(noisy))),
    );

    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(20);
    expect(refused[0]?.body).toMatchObject({ code: 'RATE_LIMITED' });
    expect((await api.endpoints(quiet)).status).toBe(200);
    expect((await api.deliveries(quiet)).status).toBe(200);
  });
});
