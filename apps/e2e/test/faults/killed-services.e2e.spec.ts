import { randomUUID } from 'node:crypto';
import { eventually } from '@pay/testing';
import { leftOver } from '../../src/left-over';
import { PublicApi, type Intent } from '../../src/merchant-client';
import { readSystem, type MerchantAccess } from '../../src/system';
import { bkashSendMoney, newTrxId } from '../../src/wallet-texts';
import { WebhookReceiver } from '../../src/webhook-receiver';

const SECRET = 'killed-services-endpoint-secret';
const PAYMENTS = 200;
const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';

/**
 * Two hundred payments, and in their middle `kill -9` of one service. Clients behave as real ones: they retry until
 * they have an answer, with the same idempotency key and the same text.
 */
describe('a service killed in the middle of 200 payments', () => {
  const system = readSystem(RUN_DIRECTORY);
  const access = system.merchants[0]?.sandbox as MerchantAccess;
  const api = new PublicApi(system.baseUrl);
  let receiver: WebhookReceiver;

  /** Created before the first kill; its minute passes while services die and come back. */
  let unpaid: Intent;

  beforeAll(async () => {
    receiver = await WebhookReceiver.listen(SECRET);
    expect((await api.registerEndpoint(access, receiver.url, SECRET)).status).toBe(201);
    const fields = { amount: 99, idempotencyKey: randomUUID(), paymentMethod: 'BKASH_SEND_MONEY', ttlSeconds: 60 };
    unpaid = (await api.createIntent(access, fields)).body;
  });

  afterAll(async () => {
    await api.close();
    await receiver.close();
  });

  async function insist<Body>(expected: number, call: () => Promise<{ status: number; body: Body }>): Promise<Body> {
    return eventually(
      async () => {
        const reply = await call().catch(() => undefined);
        return reply?.status === expected ? { body: reply.body } : undefined;
      },
      `an answer ${expected}`,
      { timeoutMs: 30_000 },
    ).then((found) => found.body);
  }

  async function pay(): Promise<string> {
    const idempotencyKey = randomUUID();
    const amount = (10 + Math.random() * 5_000).toFixed(2);
    const intent = await insist(201, () =>
      api.createIntent(access, { amount, idempotencyKey, paymentMethod: 'BKASH_SEND_MONEY', ttlSeconds: 3_600 }),
    );
    const message = bkashSendMoney({ amount, reference: intent.customerReference, trxId: newTrxId(new Date()) });
    await insist(202, () =>
      api.forwardSms(access, { sender: 'bKash', message, receiverMsisdn: intent.receiverMsisdn }),
    );
    return intent.id;
  }

  test.each(['intent-api', 'checkout-api', 'sms-ingest', 'reconciler', 'webhook-dispatcher', 'dashboard-api'])(
    '%s: all 200 are PAID once with one webhook each, and no work is left',
    async (service) => {
      const pid = readSystem(RUN_DIRECTORY).services[service]?.pid as number;
      const ids: string[] = [];
      const workers = Array.from({ length: 20 }, async () => {
        for (let number = 0; number < PAYMENTS / 20; number += 1) {
          ids.push(await pay());
          if (ids.length === PAYMENTS / 4) process.kill(pid, 'SIGKILL');
        }
      });
      await Promise.all(workers);

      await Promise.all(ids.map((id) => receiver.next('payment.paid', id, 60_000)));

      for (const id of ids) {
        const received = receiver.of('payment.paid', id);
        expect(received.every((webhook) => webhook.isGenuine)).toBe(true);
        // A sender killed between the request and its record repeats it, under the same delivery id.
        expect(new Set(received.map((webhook) => webhook.deliveryId)).size).toBe(1);
        if (service !== 'webhook-dispatcher') expect(received).toHaveLength(1);
      }
      const statuses = await Promise.all(ids.map((id) => insist(200, () => api.getIntent(access, id))));
      expect(statuses.filter((intent) => intent.status !== 'PAID')).toEqual([]);
      await eventually(
        () => Promise.resolve(readSystem(RUN_DIRECTORY).services[service]?.pid !== pid),
        `${service} is running again`,
      );
      await nothingLeftOver();
    },
    120_000,
  );

  test('an intent without a payment has expired once, and late money does not pay it automatically', async () => {
    const webhook = await receiver.next('payment.expired', unpaid.id, 80_000);

    expect(webhook).toMatchObject({ isGenuine: true, status: 'EXPIRED' });
    expect((await api.getIntent(access, unpaid.id)).body.status).toBe('EXPIRED');
    const trxId = newTrxId(new Date());
    const message = bkashSendMoney({ amount: '99', reference: unpaid.customerReference, trxId });
    await api.forwardSms(access, { sender: 'bKash', message, receiverMsisdn: unpaid.receiverMsisdn });
    expect(await api.confirm(unpaid.id, trxId)).toMatchObject({ status: 409, body: { code: 'INTENT_EXPIRED' } });
    await nothingLeftOver();
    expect((await api.getIntent(access, unpaid.id)).body.status).toBe('EXPIRED');
    expect(new Set(receiver.of('payment.expired', unpaid.id).map(({ deliveryId }) => deliveryId)).size).toBe(1);
    expect(receiver.of('payment.paid', unpaid.id)).toEqual([]);
  }, 100_000);

  /** Every outbox is published and every work queue empty, seen from the databases and the broker themselves. */
  async function nothingLeftOver(): Promise<void> {
    await eventually(
      async () => {
        const rest = await leftOver(system);
        return rest.length === 0;
      },
      'no outbox row and no message is left over',
      { timeoutMs: 30_000 },
    );
  }
});
