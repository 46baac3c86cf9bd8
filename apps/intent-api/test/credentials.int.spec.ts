import { failOnLeaks } from '@pay/testing';
import { merchantApi } from './merchant-api';
import { aKey, aMerchant, startService } from './service-under-test';
import type { MerchantUnderTest, ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('credentials of the merchant API', () => {
  let service: ServiceUnderTest;
  let merchant: MerchantUnderTest;
  const api = merchantApi(() => service);

  beforeAll(async () => {
    service = await startService();
    merchant = await aMerchant(service.db);
  });
  afterAll(() => service.stop());

  it.each([
    ['none', undefined],
    ['an unknown one', `sk_test_${'A'.repeat(38)}`],
    ['a device key', `dk_test_${'A'.repeat(38)}`],
    ['nonsense', '\u00e9'],
  ])('answers 401 for %s', async (_case, apiKey) => {
    const headers: Record<string, string> = apiKey === undefined ? {} : { 'x-api-key': apiKey };

    expect(await api.call('POST', '/v1/payments/intents', headers)).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED' },
    });
  });

  it('answers 403 to a create with a read-only key', async () => {
    const apiKey = await aKey(service.db, merchant, ['payments:read']);

    expect(await api.create({ apiKey })).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });

  it('answers 401 for a key of a merchant that is switched off', async () => {
    const closed = await aMerchant(service.db, { isActive: false });

    expect(await api.create(closed)).toMatchObject({ status: 401 });
  });

  it('does not use receivers of SANDBOX for a live key', async () => {
    const apiKey = await aKey(service.db, { id: merchant.id, environment: 'LIVE' });

    expect(await api.create({ apiKey })).toMatchObject({
      status: 422,
      body: { code: 'RECEIVER_ACCOUNT_NOT_CONFIGURED' },
    });
  });
});
