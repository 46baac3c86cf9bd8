import { captureServer, eventually, failOnLeaks, type CapturedRequest, type CaptureServer } from '@pay/testing';
import { Webhook } from 'standardwebhooks';
import { ownNetwork, SHOP_HOST } from './own-network';
import { aMerchant, anEvent, startService, type MerchantUnderTest, type ServiceUnderTest } from './service-under-test';
import { aSignal, hmac, SECRET } from './stage';
import { webhookApi } from './webhook-api';

failOnLeaks();

const VERIFICATION = 'webhook.endpoint_verification';
const isChallenge = ({ headers }: CapturedRequest): boolean => headers['x-webhook-event'] === VERIFICATION;
const challengeIn = (request: CapturedRequest): string => (request.json() as any).data.challenge;
const standard = new Webhook(`whsec_${Buffer.from(SECRET).toString('base64')}`);

describe('verification of endpoints', () => {
  const { tls, network } = ownNetwork();
  let service: ServiceUnderTest;
  let shop: CaptureServer;
  let merchant: MerchantUnderTest;
  let url: string;
  const api = webhookApi(() => service);

  beforeAll(async () => {
    service = await startService({ network, timeScale: 0.01 });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    shop = await captureServer(tls);
    url = `https://${SHOP_HOST}:${new URL(shop.url).port}/hooks`;
    merchant = await aMerchant(service.db, 'LIVE');
  });
  afterEach(() => shop.close());

  const register = async (owner = merchant): Promise<string> =>
    (await api.register(owner, { url, secret: SECRET })).body.id;
  const answerChallenges = (): void =>
    shop.respondWith((request) => ({
      status: 200,
      ...(isChallenge(request) && { body: JSON.stringify({ challenge: challengeIn(request) }) }),
    }));
  const announce = async (count: number): Promise<string[]> => {
    const intents: string[] = [];
    for (let number = 0; number < count; number += 1) {
      const event = anEvent('intent.paid', merchant);
      intents.push(event.data.intent.id);
      await service.announce(event);
      await eventually(
        async () => (await api.deliveries(merchant, `?paymentIntentId=${event.data.intent.id}`)).body.total === 1,
        'the delivery is made',
      );
    }
    return intents;
  };
  const webhooks = (): CapturedRequest[] => shop.requests.filter((request) => !isChallenge(request));

  test('a LIVE story: held before the challenge is answered, signed and sent after it, oldest first', async () => {
    answerChallenges();
    const id = await register();
    const intents = await announce(4);
    expect((await api.deliveries(merchant, '?status=PENDING')).body.total).toBe(4);
    expect(shop.requests).toHaveLength(0);

    const { status, body } = await api.verify(merchant, id);
    expect({ status, body }).toMatchObject({ status: 200, body: { id, isVerified: true } });
    expect(Math.abs(Date.now() - Date.parse(body.verifiedAt))).toBeLessThan(10_000);
    await eventually(
      async () => (await api.deliveries(merchant, '?status=DELIVERED')).body.total === 4,
      'what was held is delivered',
    );

    expect(webhooks().map((request) => (request.json() as any).data.payment_intent_id)).toEqual(intents);
    for (const { rawBody, headers } of shop.requests) {
      expect(headers['x-webhook-signature']).toBe(`sha256=${hmac(rawBody, 'hex')}`);
      expect(() => standard.verify(rawBody.toString(), headers as Record<string, string>)).not.toThrow();
    }
    expect(shop.requests[0]!.json()).toMatchObject({ event: VERIFICATION, environment: 'LIVE' });
    await announce(1);
    await eventually(() => webhooks().length === 5, 'later events are sent at once');
  });

  test.each<[string, (request: CapturedRequest) => { status: number; body: string }, RegExp]>([
    ['another challenge', () => ({ status: 200, body: '{"challenge":"guessed"}' }), /answered 200 with .*guessed/],
    [
      'the right challenge and 500',
      (request) => ({ status: 500, body: JSON.stringify({ challenge: challengeIn(request) }) }),
      /answered 500/,
    ],
    ['no JSON', () => ({ status: 200, body: `<html>\n\0${'x'.repeat(9_000)}` }), /answered 200 with <html> .*…/],
    ['nothing', () => ({ status: 204, body: '' }), /answered 204 with an empty body/],
  ])('%s is 422 with what was seen, bounded, and nothing is sent', async (_, answer, seen) => {
    shop.respondWith(answer);
    const id = await register();
    const { status, body } = await api.verify(merchant, id);

    expect({ status, code: body.code }).toEqual({ status: 422, code: 'ENDPOINT_VERIFICATION_FAILED' });
    expect(body.message).toMatch(seen);
    expect(body.message.length).toBeLessThan(400);
    expect((await api.endpoint(merchant, id)).body).toMatchObject({ isVerified: false, verifiedAt: null });
  });

  test('nobody there is 422 as well, and each challenge is a new one', async () => {
    const id = await register();
    await api.verify(merchant, id);
    await api.verify(merchant, id);
    const asked = shop.requests.map(challengeIn);
    expect(new Set(asked).size).toBe(2);
    await Promise.all(Array.from({ length: 5 }, () => api.verify(merchant, id)));
    expect(shop.requests.length).toBeLessThan(asked.length + 5);

    const gone = (await api.register(merchant, { url: `https://${SHOP_HOST}:1029/`, secret: SECRET })).body.id;
    const { status, body } = await api.verify(merchant, gone);
    expect({ status, body }).toMatchObject({ status: 422, body: { message: expect.stringContaining('CONNECT') } });
  });

  test('a changed URL is unverified again, and one that changes while it is asked stays so', async () => {
    answerChallenges();
    const id = await register();
    await api.verify(merchant, id);
    expect((await api.change(merchant, id, { eventTypes: ['payment.paid'], isActive: true, url })).body).toMatchObject({
      isVerified: true,
      eventTypes: ['payment.paid'],
    });
    expect((await api.change(merchant, id, { url: `${url}/new` })).body).toMatchObject({
      url: `${url}/new`,
      isVerified: false,
      verifiedAt: null,
    });
    await announce(1);
    expect((await api.deliveries(merchant)).body.data[0]).toMatchObject({ status: 'PENDING', attempt: 0 });

    const changed = aSignal();
    shop.respondWith((request) =>
      changed.given.then(() => ({ status: 200, body: JSON.stringify({ challenge: challengeIn(request) }) })),
    );
    const verifying = api.verify(merchant, id);
    await shop.waitFor(({ path }) => path === '/hooks/new');
    await api.change(merchant, id, { url: `${url}/newer` });
    changed.give();
    expect((await verifying).status).toBe(422);
    expect((await api.endpoint(merchant, id)).body.isVerified).toBe(false);
    expect((await api.change(merchant, id, { url: 'http://shop.test/' })).body.message).toEqual([
      'url must use https for LIVE endpoints',
    ]);
  });

  test('a SANDBOX endpoint is sent to before it is verified, and may be verified too', async () => {
    answerChallenges();
    const sandbox = await aMerchant(service.db);
    const id = await register(sandbox);
    await service.announce(anEvent('intent.paid', sandbox));
    await eventually(() => webhooks().length === 1, 'it arrives');

    expect((await api.verify(sandbox, id)).body).toMatchObject({ isVerified: true, environment: 'SANDBOX' });
    expect((await api.verify(merchant, id)).status).toBe(404);
  });
});
