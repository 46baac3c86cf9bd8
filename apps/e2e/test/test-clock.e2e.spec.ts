import { randomUUID } from 'node:crypto';
import { captureServer, eventually, type CaptureServer } from '@pay/testing';
import { ControlPlane } from '../src/control-plane';
import { PublicApi, type Intent } from '../src/merchant-client';
import { ownMerchant, type OwnAccess, type OwnMerchant } from '../src/own-merchant';
import { RawApi } from '../src/raw-api';
import { readSystem } from '../src/system';
import { bkashSendMoney, newTrxId } from '../src/wallet-texts';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
const SECRET = 'test-clock-endpoint-secret';
const DAY_SECONDS = 86_400;
/** An advance answers within ten seconds, and a busy machine may need several answers. */
const PATIENCE = { timeoutMs: 60_000 };

interface Clock {
  readonly status: 'ready' | 'advancing';
  readonly advancedSeconds: number;
}

interface Webhook {
  readonly event: string;
  readonly attempt: string;
  readonly intentId: string;
}

describe('the test clock of a SANDBOX', () => {
  const system = readSystem(RUN_DIRECTORY);
  const controlPlane = new ControlPlane(RUN_DIRECTORY);
  const api = new PublicApi(system.baseUrl);
  const rawApi = new RawApi(system.baseUrl);
  let merchant: OwnMerchant;
  let headers: Record<string, string>;
  let shop: CaptureServer;

  beforeAll(async () => {
    shop = await captureServer();
    merchant = await ownMerchant(system, controlPlane);
    const { email, password } = merchant.owner;
    headers = { authorization: `Bearer ${await rawApi.signIn(email, password)}` };
    answerWebhooksWith(200);
    const endpoint = await api.registerEndpoint(merchant.sandbox, `${shop.url}/hook`, SECRET);
    expect((await api.verifyEndpoint(merchant.sandbox, endpoint.body.id)).status).toBe(200);
  });

  afterAll(async () => {
    await api.close();
    await rawApi.close();
    await shop.close();
  });

  function answerWebhooksWith(status: number): void {
    shop.respondWith(({ rawBody }) => {
      const { challenge } = JSON.parse(rawBody.toString()) as { challenge?: string };
      return challenge === undefined ? { status } : { status: 200, body: JSON.stringify({ challenge }) };
    });
  }
  const webhooksOf = ({ id }: Intent): Webhook[] =>
    shop.requests
      .map(({ rawBody, headers: sent }) => {
        const body = JSON.parse(rawBody.toString()) as { event: string; data?: { payment_intent_id?: string } };
        return {
          event: body.event,
          attempt: String(sent['x-webhook-attempt']),
          intentId: String(body.data?.payment_intent_id),
        };
      })
      .filter(({ intentId }) => intentId === id);

  async function newIntent(access: OwnAccess, ttlSeconds: number): Promise<Intent> {
    const fields = { amount: 75, idempotencyKey: randomUUID(), paymentMethod: 'BKASH_SEND_MONEY', ttlSeconds };
    const reply = await api.createIntent(access, fields);
    expect(reply.status).toBe(201);
    return reply.body;
  }
  async function pay({ customerReference: reference, receiverMsisdn }: Intent): Promise<string> {
    const message = bkashSendMoney({ amount: '75', reference, trxId: newTrxId(new Date()) });
    const sent = await api.forwardSms(merchant.sandbox, { sender: 'bKash', message, receiverMsisdn });
    expect(sent.status).toBe(202);
    return sent.body.id;
  }
  const read = async (access: OwnAccess, { id }: Intent): Promise<Intent> => (await api.getIntent(access, id)).body;
  const clock = <Body = Clock>(method: string, path: string, body?: object) =>
    api.call<Body>(method, `/v1/sandbox/test-clock${path}`, headers, body);

  /** Repeats the request until it is ready: its requestId lets no time pass twice. */
  async function advance(by: { readonly seconds: number } | { readonly to: string }): Promise<void> {
    const body = { ...by, requestId: randomUUID() };
    await eventually(
      async () => {
        const answer = await clock('POST', '/advance', body);
        expect(answer.status).toBe(200);
        return answer.body.status === 'ready';
      },
      'the clock is ready',
      PATIENCE,
    );
  }

  test('expires an intent and sends its webhook before it is ready; money that comes then is a late payment', async () => {
    const intent = await newIntent(merchant.sandbox, 300);
    const open = await newIntent(merchant.sandbox, 3_600);
    const live = await newIntent(merchant.live, 300);

    await advance({ to: intent.expiresAt });

    const expired = await read(merchant.sandbox, intent);
    expect(expired.status).toBe('EXPIRED');
    expect(Date.parse(expired.expiresAt)).toBeLessThanOrEqual(Date.now());
    expect(webhooksOf(intent).map(({ event }) => event)).toEqual(['payment.expired']);
    const still = await read(merchant.sandbox, open);
    expect(still.status).toBe('PENDING');
    expect(Date.parse(open.expiresAt) - Date.parse(still.expiresAt)).toBeGreaterThan(200_000);
    expect(await read(merchant.live, live)).toMatchObject({ status: 'PENDING', expiresAt: live.expiresAt });
    await eventually(async () => {
      const view = await api.call<{ status: string }>('GET', `/v1/checkout/${intent.id}`, {});
      return view.body.status === 'EXPIRED';
    }, 'the checkout says EXPIRED');

    await pay(intent);

    const late = await eventually(async () => {
      const { body } = await api.call<{ data: { paymentIntentId: string; reason: string }[] }>(
        ...(['GET', '/v1/dashboard/exceptions?environment=SANDBOX&limit=100', headers] as const),
      );
      return body.data.find(({ paymentIntentId }) => paymentIntentId === intent.id);
    }, 'the payment is an exception');
    expect(late.reason).toBe('late_payment');
    expect((await read(merchant.sandbox, intent)).status).toBe('EXPIRED');
  });

  test('pays an intent whose money came in before the advance', async () => {
    const intent = await newIntent(merchant.sandbox, 300);
    await pay(intent);

    await advance({ seconds: 3_600 });

    expect((await read(merchant.sandbox, intent)).status).toBe('PAID');
  });

  test('plays three days of webhook retries with the attempts of the schedule, and no more', async () => {
    answerWebhooksWith(500);
    const intent = await newIntent(merchant.sandbox, 60);

    await advance({ seconds: 3 * DAY_SECONDS });

    expect(webhooksOf(intent)).toEqual(
      ['1', '2', '3', '4', '5', '6'].map((attempt) => ({ event: 'payment.expired', attempt, intentId: intent.id })),
    );
    const { body } = await api.call<{ data: { status: string; attempt: number }[] }>(
      ...(['GET', `/v1/webhooks/deliveries?paymentIntentId=${intent.id}`] as const),
      { 'x-api-key': merchant.sandbox.apiKey },
    );
    expect(body.data).toMatchObject([{ status: 'FAILED', attempt: 6 }]);
    answerWebhooksWith(200);
  });

  test('ends the match window of an SMS that no intent was found for', async () => {
    const [, nobody] = [await newIntent(merchant.sandbox, 60), `NOBODY${randomUUID().slice(0, 4)}`.toUpperCase()];
    const wallet = merchant.sandbox.receivers.find(({ paymentMethod }) => paymentMethod === 'BKASH_SEND_MONEY');
    const smsId = await pay({ customerReference: nobody, receiverMsisdn: wallet?.msisdn ?? null } as Intent);
    const matchStatus = async () => {
      const { body } = await api.call<{ results: { matchStatus: string | null }[] }>(
        ...(['POST', '/v1/sms-events/status-batch', { 'x-device-key': merchant.sandbox.deviceKey }] as const),
        { ids: [smsId] },
      );
      return body.results[0]?.matchStatus;
    };

    await advance({ seconds: 3 * DAY_SECONDS + 1 });

    await eventually(async () => (await matchStatus()) === 'EXPIRED', 'the match window has ended');
  });

  test('loses and doubles no payment of many that are made while it advances', async () => {
    const intents = await Promise.all(Array.from({ length: 30 }, () => newIntent(merchant.sandbox, 7_200)));

    await Promise.all([
      ...intents.map((intent) => pay(intent)),
      (async () => {
        for (let times = 0; times < 3; times += 1) await advance({ seconds: 600 });
      })(),
    ]);

    const isPaid = async (intent: Intent) => (await read(merchant.sandbox, intent)).status === 'PAID';
    await eventually(async () => (await Promise.all(intents.map(isPaid))).every(Boolean), 'all are paid', PATIENCE);
    await eventually(
      () => intents.every((intent) => webhooksOf(intent).length > 0),
      'all webhooks have come',
      PATIENCE,
    );
    const paid = intents.map((intent) => new Set(webhooksOf(intent).map(({ event }) => event)));
    expect(paid).toEqual(intents.map(() => new Set(['payment.paid'])));
  });
});
