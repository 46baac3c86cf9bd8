import { randomUUID } from 'node:crypto';
import { verifyWebhook } from '@pay/signing';
import { captureServer, eventually, type CapturedRequest, type CaptureServer } from '@pay/testing';
import { ControlPlane } from '../../src/control-plane';
import { liveDispatcher, SHOP_HOST, shopCertificate, type ShopTls } from '../../src/live-dispatcher';
import { PublicApi } from '../../src/merchant-client';
import { ownMerchant, type OwnMerchant } from '../../src/own-merchant';
import { readSystem, type MerchantAccess } from '../../src/system';
import { bkashSendMoney, newTrxId } from '../../src/wallet-texts';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
const SECRET = 'live-endpoint-secret-of-a-shop';

interface Body {
  readonly event: string;
  readonly environment: string;
  readonly challenge?: string;
  readonly data: { readonly payment_intent_id: string };
}
interface Delivery {
  readonly paymentIntentId: string;
  readonly status: string;
  readonly attempt: number;
}

describe('an endpoint of the LIVE environment, from outside', () => {
  const system = readSystem(RUN_DIRECTORY);
  const api = new PublicApi(system.baseUrl);
  let tls: ShopTls;
  let shop: CaptureServer;
  let merchant: OwnMerchant;
  let putBack: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    tls = shopCertificate();
    shop = await captureServer(tls);
    merchant = await ownMerchant(system, new ControlPlane(RUN_DIRECTORY));
    putBack = await liveDispatcher(RUN_DIRECTORY, tls.certFile);
  });

  afterAll(async () => {
    await putBack?.();
    await api.close();
    await shop.close();
    tls.remove();
  });

  const bodyOf = (request: CapturedRequest): Body => request.json() as Body;
  const received = (): string[] =>
    shop.requests
      .map(bodyOf)
      .filter(({ event }) => event === 'payment.paid')
      .map(({ data }) => data.payment_intent_id);

  async function get<Answer>(path: string, access: MerchantAccess): Promise<Answer> {
    const { status, body } = await api.call<Answer>('GET', path, { 'x-api-key': access.apiKey });
    expect(status).toBe(200);
    return body;
  }
  const deliveries = (access: MerchantAccess = merchant.live) =>
    get<{ data: Delivery[]; total: number }>('/v1/webhooks/deliveries', access);

  /** A LIVE payment; resolves when its delivery is planned. */
  async function paid(): Promise<string> {
    const fields = { amount: 1250, idempotencyKey: randomUUID(), paymentMethod: 'BKASH_SEND_MONEY' };
    const { status, body: intent } = await api.createIntent(merchant.live, fields);
    expect(status).toBe(201);
    const { customerReference: reference, receiverMsisdn } = intent;
    const message = bkashSendMoney({ amount: '1250', reference, trxId: newTrxId(new Date()) });
    expect((await api.forwardSms(merchant.live, { sender: 'bKash', message, receiverMsisdn })).status).toBe(202);
    await eventually(
      async () => (await deliveries()).data.some(({ paymentIntentId }) => paymentIntentId === intent.id),
      'its delivery is planned',
    );
    return intent.id;
  }

  test('events before its verification are held and sent signed and in order afterwards, and later ones are sent immediately', async () => {
    shop.respondWith((request) => ({ status: 200, body: JSON.stringify({ challenge: bodyOf(request).challenge }) }));
    const url = `https://${SHOP_HOST}:${new URL(shop.url).port}/hooks`;
    const endpoint = await api.registerEndpoint(merchant.live, url, SECRET, ['payment.paid']);
    expect(endpoint).toMatchObject({ status: 201, body: { environment: 'LIVE', isVerified: false, isActive: true } });

    const first = await paid();
    const second = await paid();
    expect((await deliveries()).data).toMatchObject([
      { paymentIntentId: second, status: 'PENDING', attempt: 0 },
      { paymentIntentId: first, status: 'PENDING', attempt: 0 },
    ]);
    expect(shop.requests).toHaveLength(0);

    expect(await api.verifyEndpoint(merchant.live, endpoint.body.id)).toMatchObject({
      status: 200,
      body: { id: endpoint.body.id, isVerified: true },
    });
    await eventually(() => received().length === 2, 'what was held comes');
    const third = await paid();
    await eventually(
      async () => (await deliveries()).data.every(({ status }) => status === 'DELIVERED'),
      'all are delivered',
    );

    expect(received()).toEqual([first, second, third]);
    expect(bodyOf(shop.requests[0]!)).toMatchObject({ event: 'webhook.endpoint_verification', environment: 'LIVE' });
    for (const request of shop.requests) {
      expect(() => verifyWebhook(request.rawBody, request.headers, SECRET)).not.toThrow();
      expect(bodyOf(request).environment).toBe('LIVE');
    }
    const feed = await get<{ data: { payload: Body }[] }>('/v1/events', merchant.live);
    expect(feed.data.map(({ payload }) => payload.data.payment_intent_id)).toEqual([first, second, third]);
    expect((await deliveries(merchant.sandbox)).total).toBe(0);
  });

  test.each([
    'http://shop.test/hooks',
    'https://127.0.0.1/hooks',
    'https://localhost/hooks',
    'https://2130706433/hooks',
  ])('%s is refused', async (url) => {
    expect((await api.registerEndpoint(merchant.live, url, SECRET)).status).toBe(400);
  });
});
