import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@pay/testing';
import amqp from 'amqplib';
import pg from 'pg';
import { ControlPlane } from '../../src/control-plane';
import { OwnSystem, START_MS } from '../../src/drills/own-system';
import { PublicApi } from '../../src/merchant-client';
import { ownMerchant, type OwnMerchant } from '../../src/own-merchant';
import { databaseOf, type RunningSystem } from '../../src/system';
import { bkashSendMoney, newTrxId } from '../../src/wallet-texts';
import { WebhookReceiver } from '../../src/webhook-receiver';

const SECRET = 'lost-binding-endpoint-secret';
/** Three rounds of probes, plus time for a busy machine. */
const REPAIR_MS = 240_000;

interface Feed {
  readonly data: readonly {
    readonly payload: { readonly event: string; readonly data: { readonly payment_intent_id: string } };
  }[];
}

/** On a separate system, because no shop receives webhooks while the binding is missing. */
describe('a system without the binding that brings paid intents to webhook-dispatcher', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lost-binding-'));
  let own: OwnSystem;
  let system: RunningSystem;
  let api: PublicApi;
  let merchant: OwnMerchant;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    own = await OwnSystem.start(folder);
    system = own.description;
    api = new PublicApi(system.baseUrl);
    merchant = await ownMerchant(system, new ControlPlane(own.runFolder));
    receiver = await WebhookReceiver.listen(SECRET);
    expect((await api.registerEndpoint(merchant.sandbox, receiver.url, SECRET)).status).toBe(201);
    // As in every system that runs for a while, the queue has events of another type, whose probes name the missing
    // one.
    await pay({ amount: '74', status: 'REVIEW_REQUIRED' });
  }, START_MS);

  afterAll(async () => {
    await api.close();
    await receiver.close();
    await own.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  /** A new intent over 75, and an SMS with this amount; answers the id when the intent has the status. */
  async function pay({ amount = '75', status = 'PAID' } = {}): Promise<string> {
    const fields = { amount: 75, idempotencyKey: randomUUID(), paymentMethod: 'BKASH_SEND_MONEY' };
    const { body: intent } = await api.createIntent(merchant.sandbox, fields);
    const { id, customerReference: reference, receiverMsisdn } = intent;
    const message = bkashSendMoney({ amount, reference, trxId: newTrxId(new Date()) });
    await api.forwardSms(merchant.sandbox, { sender: 'bKash', message, receiverMsisdn });
    await eventually(
      async () => (await api.getIntent(merchant.sandbox, id)).body.status === status,
      `the intent is ${status}`,
      { timeoutMs: 60_000 },
    );
    return id;
  }

  /** From the first probe on the type is watched: 15 s after its first event. */
  async function untilWatched(): Promise<void> {
    const database = new pg.Client({ connectionString: databaseOf(system, 'webhook-dispatcher') });
    await database.connect();
    try {
      await eventually(
        async () => {
          const text = `select from webhook_dispatcher.binding_probes where type = 'intent.paid'`;
          return (await database.query(text)).rowCount === 1;
        },
        'the binding is watched',
        { timeoutMs: 120_000 },
      );
    } finally {
      await database.end();
    }
  }

  async function removeBinding(): Promise<void> {
    const connection = await amqp.connect(system.amqpUrl);
    const channel = await connection.createChannel();
    const prefix = system.amqpNamespace;
    const exchange = `${prefix}pay.events.intent-api`;
    await channel.unbindQueue(`${prefix}webhook-dispatcher.events`, exchange, 'intent.paid.*');
    await connection.close();
  }

  test.each([
    ['and no restart', async () => undefined],
    [
      'and a restart of webhook-dispatcher right afterwards',
      () => {
        process.kill(own.description.services['webhook-dispatcher']?.pid as number, 'SIGKILL');
        return Promise.resolve();
      },
    ],
  ])(
    'with one payment %s: the webhook and the feed entry arrive once',
    async (_, meanwhile) => {
      const before = await pay();
      await receiver.next('payment.paid', before, 60_000);
      await untilWatched();
      await removeBinding();
      const id = await pay();
      await meanwhile();

      await receiver.next('payment.paid', id, REPAIR_MS);

      const after = await pay();
      await receiver.next('payment.paid', after, 60_000);
      expect(receiver.of('payment.paid', id)).toHaveLength(1);
      const { body: feed } = await api.call<Feed>('GET', '/v1/events?limit=100', {
        'x-api-key': merchant.sandbox.apiKey,
      });
      const entries = feed.data.filter(({ payload }) => payload.data.payment_intent_id === id);
      expect(entries.map(({ payload }) => payload.event)).toEqual(['payment.paid']);
    },
    2 * REPAIR_MS,
  );
});
