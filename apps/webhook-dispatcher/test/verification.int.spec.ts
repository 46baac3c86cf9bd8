import type { Transaction } from '@pay/persistence';
import { captureServer, eventually, failOnLeaks, type CapturedRequest, type CaptureServer } from '@pay/testing';
import { Webhook } from 'standardwebhooks';
import { uuidv7 } from 'uuidv7';
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

  test('holds LIVE deliveries before verification and sends them signed, oldest first, after it', async () => {
    answerChallenges();
    const id = await register();
    const intents = await announce(4);
    expect((await api.deliveries(merchant, '?status=PENDING')).body.total).toBe(4);
    expect(shop.requests).toHaveLength(0);

    const { status, body } = await api.verify(merchant, id);
    expect({ status, body }).toMatchObject({ status: 200, body: { id, isVerified: true } });
    expect(Math.abs(Date.now() - Date.parse(body.verifiedAt))).toBeLessThan(60_000);
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
    await eventually(() => webhooks().length === 5, 'later events are sent immediately');
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

  test('answers 422 if nothing listens, and uses a new challenge each time', async () => {
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

  /** Sessions of the service's database that wait for a row that another transaction has locked. */
  const waitingForLock = async (): Promise<number> => {
    const [row] = await service.db.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row?.count ?? 0;
  };

  test('sends a delivery that another dispatcher held after the verification had begun and before it locked the endpoint', async () => {
    answerChallenges();
    const id = await register();
    const { release, held } = holding((tx) => tx.query('select from endpoints where id = $1 for key share', [id]));
    await held;
    const verifying = api.verify(merchant, id);
    await eventually(
      async () => (await waitingForLock()) === 1,
      'the verification waits for a dispatcher that is planning',
    );
    await announce(1);
    expect((await api.deliveries(merchant)).body.data[0]).toMatchObject({ status: 'PENDING', attempt: 0 });
    await release();

    expect((await verifying).status).toBe(200);
    await eventually(
      async () => (await api.deliveries(merchant, '?status=DELIVERED')).body.total === 1,
      'the delivery that was held last is delivered',
    );
  });

  test('sends a delivery that another dispatcher held back while the endpoint was being verified', async () => {
    answerChallenges();
    const id = await register();
    const deliveryId = uuidv7();
    // A lease that its process lost: a dispatcher that claims it for an unverified endpoint sets it aside and closes
    // the attempt.
    await service.db.execute(
      `with lost as (
         insert into deliveries (id, endpoint_id, merchant_id, environment, event_id, event_type, occurred_at, idempotency_key, body,
           attempt, lease_owner, next_attempt_at)
         values ($1::uuid, $2, $3, 'LIVE', $1, 'webhook.test', now(), $1::uuid::text, '{}', 1, $1, now() + interval '1 hour') returning id
       )
       insert into attempts (delivery_id, attempt, trigger, started_at, worker_id) select id, 1, 'schedule', now(), id from lost`,
      [deliveryId, id, merchant.id],
    );
    const { release, held } = holding((tx) =>
      tx.query('select from attempts where delivery_id = $1 for update', [deliveryId]),
    );
    await held;
    await service.db.execute('update deliveries set next_attempt_at = now() where id = $1', [deliveryId]);
    await eventually(async () => (await waitingForLock()) === 1, 'a dispatcher is holding the delivery back');
    const verifying = api.verify(merchant, id);
    await eventually(
      async () =>
        (await waitingForLock()) === 2 ||
        (await service.db.query('select from recoveries where endpoint_id = $1 and finished_at is not null', [id]))
          .length === 1,
      'the verification waits for it, or has looked for what was held',
    );
    await release();

    expect((await verifying).status).toBe(200);
    await eventually(
      async () => (await api.deliveries(merchant, '?status=DELIVERED')).body.total === 1,
      'the delivery that was held back is delivered',
    );
  });

  /** A transaction that has done this and stays open until it is released. */
  const holding = (work: (tx: Transaction) => Promise<unknown>) => {
    const [begun, end] = [aSignal(), aSignal()];
    const done = service.db.transaction(async (tx) => {
      await work(tx);
      begun.give();
      await end.given;
    });
    const release = async (): Promise<void> => {
      end.give();
      await done;
    };
    return { held: begun.given, release };
  };

  test('a changed URL is unverified again, also if it changes during the verification', async () => {
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

  test('sends a delivery that waits for a retry as soon as the new URL of its endpoint is verified', async () => {
    answerChallenges();
    const id = await register();
    await api.verify(merchant, id);
    shop.respondWith(() => ({ status: 400 }));
    await announce(1);
    await eventually(
      async () =>
        (await service.db.execute(
          `update deliveries set next_attempt_at = now() + interval '1 day'
           where endpoint_id = $1 and status = 'RETRYING' and lease_owner is null`,
          [id],
        )) === 1,
      'it waits for tomorrow',
    );
    answerChallenges();
    await api.change(merchant, id, { url: `${url}/new` });
    expect((await api.verify(merchant, id)).status).toBe(200);

    await eventually(
      async () => (await api.deliveries(merchant, '?status=DELIVERED')).body.total === 1,
      'it is delivered',
    );
    expect(webhooks().at(-1)!.path).toBe('/hooks/new');
  });

  test('a SANDBOX endpoint receives deliveries before verification and may be verified too', async () => {
    answerChallenges();
    const sandbox = await aMerchant(service.db);
    const id = await register(sandbox);
    await service.announce(anEvent('intent.paid', sandbox));
    await eventually(() => webhooks().length === 1, 'it arrives');

    expect((await api.verify(sandbox, id)).body).toMatchObject({ isVerified: true, environment: 'SANDBOX' });
    expect((await api.verify(merchant, id)).status).toBe(404);
  });
});
