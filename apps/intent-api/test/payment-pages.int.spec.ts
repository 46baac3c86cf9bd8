import { MAX_COUNTED_PAYMENTS, paymentPageSchema, type PaymentPage } from '@pay/contracts';
import { serviceClient, type ServiceClient } from '@pay/http';
import { failOnLeaks } from '@pay/testing';
import { merchantApi } from './merchant-api';
import { aMerchant, PEER_SECRETS, startService } from './service-under-test';
import type { MerchantUnderTest, ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('GET /internal/v1/intents', () => {
  let service: ServiceUnderTest;
  let client: ServiceClient;
  let owner: MerchantUnderTest;
  let newestFirst: string[];
  const api = merchantApi(() => service);

  beforeAll(async () => {
    service = await startService();
    const secret = PEER_SECRETS['dashboard-api'];
    client = serviceClient({
      issuer: 'dashboard-api',
      audience: 'intent-api',
      secret,
      baseUrl: service.internalUrl,
    });
    owner = await aMerchant(service.db);
    newestFirst = [];
    for (let index = 0; index < 7; index += 1) {
      const { body } = await api.create(owner, {
        merchantReference: `INV-${index}`,
        customerReference: `TEA-7${index}`,
      });
      newestFirst.unshift(body.id);
    }
  });
  afterAll(async () => {
    await client.close();
    await service.stop();
  });

  function list(query: Record<string, string> = {}, merchant = owner): Promise<PaymentPage> {
    const search = new URLSearchParams({ merchantId: merchant.id, environment: 'SANDBOX', ...query }).toString();
    return client.request('GET', `/internal/v1/intents?${search}`, { schema: paymentPageSchema });
  }
  const idsOf = ({ data }: PaymentPage) => data.map(({ id }) => id);

  it('pages by a cursor without a gap or a repeat, also when intents are created in between', async () => {
    const first = await list({ limit: '3' });
    const other = await aMerchant(service.db);
    await api.create(other);
    const second = await list({ limit: '3', after: first.nextCursor ?? '' });
    const third = await list({ limit: '3', after: second.nextCursor ?? '' });

    expect([first, second, third].flatMap(idsOf)).toEqual(newestFirst);
    expect(third.nextCursor).toBeNull();
    expect([first, second, third].map(({ total, totalIsExact }) => [total, totalIsExact])).toEqual(
      Array.from({ length: 3 }, () => [7, true]),
    );
  });

  it('has no next page when the last one is full', async () => {
    expect(await list({ limit: '7' })).toMatchObject({ nextCursor: null, total: 7 });
  });

  it.each([
    ['the reference in another spelling', 'tea 73', 3],
    ['the merchant reference', 'INV-5', 5],
  ])('finds an intent by %s', async (_, search, created) => {
    const page = await list({ search });

    expect(idsOf(page)).toEqual([newestFirst[6 - created]]);
    expect(page.total).toBe(1);
  });

  it('finds an intent by its id, but not the intent of another merchant', async () => {
    const [id = ''] = newestFirst;
    const other = await aMerchant(service.db);

    expect(idsOf(await list({ search: id }))).toEqual([id]);
    expect(await list({ search: id }, other)).toMatchObject({ data: [], total: 0, nextCursor: null });
  });

  it('combines filters, and counts the intents that match all of them', async () => {
    expect(await list({ status: 'PAID' })).toMatchObject({ data: [], total: 0 });
    expect(await list({ status: 'PENDING', limit: '2' })).toMatchObject({ total: 7 });
    const future = new Date(Date.now() + 3_600_000).toISOString();
    expect(await list({ createdFrom: future })).toMatchObject({ data: [], total: 0 });
    expect(await list({ createdTo: future, search: 'INV-1' })).toMatchObject({ total: 1, totalIsExact: true });
    expect(MAX_COUNTED_PAYMENTS).toBe(10_000);
  });

  it('answers all filters and a cursor together', async () => {
    const first = await list({ status: 'PENDING', limit: '1' });
    const filters = { status: 'PENDING', paymentMethod: 'BKASH_SEND_MONEY', search: 'INV-1' };
    const [createdFrom, createdTo] = ['2026-01-01T00:00:00Z', new Date(Date.now() + 3_600_000).toISOString()];
    expect(await list({ ...filters, createdFrom, createdTo, after: first.nextCursor ?? '' })).toMatchObject({
      total: 1,
    });
  });

  it('refuses other services', async () => {
    const secret = PEER_SECRETS.reconciler;
    const reconciler = serviceClient({
      issuer: 'reconciler',
      audience: 'intent-api',
      secret,
      baseUrl: service.internalUrl,
    });
    const search = `merchantId=${owner.id}&environment=SANDBOX`;

    await expect(
      reconciler.request('GET', `/internal/v1/intents?${search}`, { schema: paymentPageSchema }),
    ).rejects.toMatchObject({ kind: 'rejected' });
    await reconciler.close();
  });
});
