import type { InternalShopRequest } from '@pay/contracts';
import { verifyWebhook } from '@pay/signing';
import { failOnLeaks } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { sendShopRequest } from '../src/sandbox/send-shop-request';
import { aMerchant, type MerchantUnderTest } from './service-under-test';
import { SECRET, stage } from './stage';

failOnLeaks();

const paymentIntent = {
  id: uuidv7(),
  amount: '500.5',
  customerReference: 'TEA-77',
  merchantReference: 'TEST-7',
};

describe('a request of a test case to a shop', () => {
  const on = stage();

  const send = (request: InternalShopRequest, owner: MerchantUnderTest = on.merchant) =>
    sendShopRequest(on.service.shopRequests, { merchantId: owner.id, environment: 'SANDBOX' }, request);
  const isGenuine = (secret = SECRET) => {
    const [request] = on.shop.requests;
    try {
      verifyWebhook(request?.rawBody ?? Buffer.alloc(0), request?.headers ?? {}, secret, { now: new Date() });
      return true;
    } catch {
      return false;
    }
  };

  it('asks for the status of an order with a valid signature and answers what the shop says', async () => {
    const endpointId = await on.register();

    const answer = await send({ kind: 'order_status', endpointId, paymentIntent });

    expect(answer).toMatchObject({ outcome: 'SUCCESS', httpStatus: 200 });
    expect(on.shop.requests[0]?.json()).toMatchObject({
      event: 'webhook.order_status',
      environment: 'SANDBOX',
      data: { payment_intent_id: paymentIntent.id, merchant_reference: 'TEST-7' },
    });
    expect(isGenuine()).toBe(true);
  });

  it('sends a forged payment.paid that no secret of the endpoint has signed', async () => {
    const endpointId = await on.register();

    await send({ kind: 'forged_signature', endpointId, paymentIntent });

    expect(on.shop.requests[0]?.json()).toMatchObject({ event: 'payment.paid', environment: 'SANDBOX' });
    expect(isGenuine()).toBe(false);
  });

  it('signs no body that names LIVE', async () => {
    const endpointId = await on.register();

    await send({ kind: 'other_environment', endpointId, paymentIntent });

    expect(on.shop.requests[0]?.json()).toMatchObject({ event: 'payment.paid', environment: 'OTHER' });
    expect(isGenuine()).toBe(true);
  });

  it('opens a page without a signature', async () => {
    const url = `${on.shop.url}/paid?status=PAID`;

    expect(await send({ kind: 'redirect', url })).toMatchObject({ httpStatus: 200 });

    const [request] = on.shop.requests;
    expect(request).toMatchObject({ method: 'GET', path: '/paid?status=PAID' });
    expect(Object.keys(request?.headers ?? {}).filter((name) => name.includes('webhook'))).toEqual([]);
  });

  it('is not sent to an address that the guard refuses', async () => {
    const answer = await send({ kind: 'redirect', url: 'http://169.254.169.254/latest/meta-data' });

    expect(answer).toEqual({ outcome: 'BLOCKED', httpStatus: null, response: null });
  });

  it("is not sent to another merchant's endpoint", async () => {
    const endpointId = await on.register();
    const otherMerchant = await aMerchant(on.service.db);

    await expect(send({ kind: 'order_status', endpointId, paymentIntent }, otherMerchant)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(on.shop.requests).toEqual([]);
  });
});
