import { ServiceCallFailed } from '@pay/http';
import { failOnLeaks } from '@pay/testing';
import { openShop, type Shop } from './dashboard-under-test';
import { KnownWebhooks } from './known-webhooks';
import { startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('a change of a webhook endpoint that webhook-dispatcher refuses', () => {
  const webhooks = new KnownWebhooks();
  let service: ServiceUnderTest;
  let shop: Shop;
  beforeAll(async () => {
    service = await startService({ webhookDispatcher: webhooks });
    shop = await openShop(service);
  });
  afterAll(() => service.stop());
  afterEach(() => (webhooks.refusal = undefined));

  const PATH = '/v1/dashboard/webhook-endpoints';
  const url = 'https://shop.example/hooks';
  const sentence = 'url must use port 80, 443 or one from 1024 up';
  const refuse = (status: number, code?: string) =>
    (webhooks.refusal = new ServiceCallFailed('rejected', 'webhook-dispatcher', 'refused', status, code, undefined, [
      sentence,
    ]));
  const log = async (id: string) =>
    (await service.audited(id)).map(({ action, after }): [string, unknown] => [action, after]);

  it('is recorded as refused with the problems of the request', async () => {
    const id = webhooks.addEndpoint(shop.merchantId);
    refuse(400);

    const answer = await shop.people.DEVELOPER.patch(`${PATH}/${id}`, { url });

    expect(answer).toMatchObject({ status: 400, body: { message: [sentence] } });
    expect(await log(id)).toEqual([
      ['webhook_endpoint.changed_asked', { url }],
      ['webhook_endpoint.changed_refused', { messages: [sentence] }],
    ]);
  });

  it('is recorded as refused when the endpoint was to be created', async () => {
    const body = { environment: 'SANDBOX', url, eventTypes: ['payment.paid'] };
    refuse(400);
    expect((await shop.people.DEVELOPER.post(PATH, body)).status).toBe(400);
    refuse(409, 'ENDPOINT_LIMIT_REACHED');
    expect((await shop.people.DEVELOPER.post(PATH, body)).status).toBe(409);

    expect((await log(shop.merchantId)).filter(([action]) => action.startsWith('webhook_endpoint'))).toEqual([
      ['webhook_endpoint.created_asked', { url, eventTypes: ['payment.paid'] }],
      ['webhook_endpoint.created_refused', { messages: [sentence] }],
      ['webhook_endpoint.created_asked', { url, eventTypes: ['payment.paid'] }],
      ['webhook_endpoint.created_refused', { code: 'ENDPOINT_LIMIT_REACHED' }],
    ]);
  });

  it('is recorded as refused when a delivery was to be sent again', async () => {
    const id = webhooks.addDelivery(shop.merchantId);
    const path = `/v1/dashboard/webhook-deliveries/${id}/redeliver`;
    refuse(409, 'ENDPOINT_NOT_ACTIVE');
    expect((await shop.people.DEVELOPER.post(path)).status).toBe(409);
    webhooks.refusal = undefined;
    expect((await shop.people.DEVELOPER.post(path)).status).toBe(200);

    expect(await log(id)).toEqual([
      ['webhook_delivery.redelivered_asked', {}],
      ['webhook_delivery.redelivered_refused', { code: 'ENDPOINT_NOT_ACTIVE' }],
      ['webhook_delivery.redelivered_asked', {}],
      ['webhook_delivery.redelivered', { status: 'DELIVERED', attempt: 1 }],
    ]);
  });

  it('has no result in the log while webhook-dispatcher does not answer', async () => {
    const id = webhooks.addEndpoint(shop.merchantId);
    webhooks.refusal = new ServiceCallFailed('unavailable', 'webhook-dispatcher', 'no answer');

    expect((await shop.people.DEVELOPER.patch(`${PATH}/${id}`, { url })).status).toBe(503);

    expect(await log(id)).toEqual([['webhook_endpoint.changed_asked', { url }]]);
  });
});
