import { erasedPayersSchema, payerPageSchema } from '@pay/contracts';
import { serviceClient, type ServiceClient } from '@pay/http';
import { failOnLeaks } from '@pay/testing';
import { apply, decisionOn } from './decisions';
import { merchantApi } from './merchant-api';
import {
  aMerchant,
  PEER_SECRETS,
  startService,
  type MerchantUnderTest,
  type ServiceUnderTest,
} from './service-under-test';

const PAYER = '01711000999';

describe('the erasure of an expected payer', () => {
  let service: ServiceUnderTest;
  let dashboard: ServiceClient;
  let merchant: MerchantUnderTest;
  const api = merchantApi(() => service);
  beforeAll(async () => {
    service = await startService();
    const secret = PEER_SECRETS['dashboard-api'];
    dashboard = serviceClient({
      issuer: 'dashboard-api',
      audience: 'intent-api',
      secret,
      baseUrl: service.internalUrl,
    });
  });
  beforeEach(async () => {
    merchant = await aMerchant(service.db);
  });
  afterAll(async () => {
    await dashboard.close();
    await service.stop();
  });
  failOnLeaks();

  const expecting = async (expectedSenderMsisdn: string, owner = merchant): Promise<string> =>
    (await api.create(owner, { expectedSenderMsisdn })).body.id as string;
  const about = () => ({ merchantId: merchant.id, msisdns: [PAYER] });
  const find = () =>
    dashboard.request('POST', '/internal/v1/payers/find', {
      schema: payerPageSchema,
      body: { ...about(), after: null },
    });
  const erase = (paymentIntentIds: string[]) =>
    dashboard.request('POST', '/internal/v1/payers/erase', {
      schema: erasedPayersSchema,
      body: { ...about(), paymentIntentIds },
    });
  const expectedOf = async (id: string) =>
    (await service.db.query('select expected_sender_msisdn as msisdn from payment_intents where id = $1', [id]))[0]?.[
      'msisdn'
    ] as string | null;

  it('finds the number in any spelling, only in intents of this merchant', async () => {
    const ids = [await expecting(PAYER), await expecting('+880 1711-000999')];
    await expecting('01811000888');
    await expecting(PAYER, await aMerchant(service.db));

    expect(await find()).toEqual({ ids: ids.sort(), next: null });
  });

  it('erases it in an ended intent, and keeps it while an intent can still be paid', async () => {
    const [ended, open] = [await expecting(PAYER), await expecting(PAYER)];
    await apply(service, decisionOn(merchant, ended, 'PAID', 1));

    expect(await erase([ended, open])).toEqual({ erased: 1, openIds: [open] });

    expect(await expectedOf(ended)).toBeNull();
    expect(await expectedOf(open)).not.toBeNull();
    expect((await api.get(merchant, ended)).body).toMatchObject({ status: 'PAID' });
    expect((await find()).ids).toEqual([open]);
  });
});
