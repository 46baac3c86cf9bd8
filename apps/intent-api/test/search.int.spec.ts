import { randomUUID } from 'node:crypto';
import { foundPaymentsSchema } from '@pay/contracts';
import { serviceClient, type ServiceClient } from '@pay/http';
import { failOnLeaks } from '@pay/testing';
import { apply, decisionOn } from './decisions';
import { merchantApi } from './merchant-api';
import { aMerchant, PEER_SECRETS, startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('GET /internal/v1/search', () => {
  let service: ServiceUnderTest;
  let client: ServiceClient;
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
  });
  afterAll(async () => {
    await client.close();
    await service.stop();
  });

  async function find(merchantId: string, text: string, ids: readonly string[] = []) {
    const search = new URLSearchParams({ merchantId, environment: 'SANDBOX', text, ids: ids.join() }).toString();
    const { data } = await client.request('GET', `/internal/v1/search?${search}`, { schema: foundPaymentsSchema });
    return data.map(({ id, foundBy }) => [id, foundBy]);
  }

  it('finds the intents of a tenant by reference, merchant reference, id, given ids and the amount of paid ones', async () => {
    const owner = await aMerchant(service.db);
    const other = await aMerchant(service.db);
    const merchantReference = randomUUID();
    const { body } = await api.create(owner, { amount: 731.5, merchantReference, customerReference: 'TEA-99' });
    await api.create(owner, { amount: 731.5 });
    await apply(service, decisionOn(owner, body.id, 'PAID'));

    expect(await find(owner.id, 'tea 99')).toEqual([[body.id, 'reference']]);
    expect(await find(owner.id, merchantReference)).toEqual([[body.id, 'merchantReference']]);
    expect(await find(owner.id, body.id)).toEqual([[body.id, 'id']]);
    expect(await find(owner.id, 'x', [body.id])).toEqual([[body.id, 'id']]);
    expect(await find(owner.id, '৭৩১.৫০')).toEqual([[body.id, 'amount']]);
    expect(await find(owner.id, 'nothing')).toEqual([]);
    for (const text of ['tea 99', merchantReference, body.id, '731.5'])
      expect(await find(other.id, text, [body.id])).toEqual([]);
  });
});
