import { spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { eventually } from '@pay/testing';
import amqp from 'amqplib';
import { ControlPlane } from '../../src/control-plane';
import { PublicApi } from '../../src/merchant-client';
import { ownMerchant, type OwnMerchant } from '../../src/own-merchant';
import { logsWith, queuesWith, tablesWith } from '../../src/places-of-text';
import { ServiceDatabases } from '../../src/service-databases';
import { readSystem } from '../../src/system';
import { bkashSendMoney, newTrxId } from '../../src/wallet-texts';
import { WebhookReceiver } from '../../src/webhook-receiver';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
const SECRET = 'payment-audit-endpoint-secret';

/** They keep published events for seven days (docs/retention.md). */
const OUTBOXES = ['intent_api.outbox', 'sms_ingest.outbox'];

/** Texts that paid these intents, and those that paid none. */
const TEXTS = `select status, sealed_text is not null as "hasText" from sms_ingest.sms_events
  where merchant_id = $1 and (payment_intent_id = any($2::uuid[]) or payment_intent_id is null)`;

const TOTALS = `select status, count(*), sum(amount) from reconciler.intents where merchant_id = $1 group by status`;

interface Mismatch {
  readonly kind: string;
  readonly paymentIntentId: string;
}

describe('the payment audit of the running system', () => {
  const system = readSystem(RUN_DIRECTORY);
  const controlPlane = new ControlPlane(RUN_DIRECTORY);
  const api = new PublicApi(system.baseUrl);
  const databases = new ServiceDatabases(system);
  const started = new Date(Date.now() - 60_000);
  let merchant: OwnMerchant;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    merchant = await ownMerchant(system, controlPlane);
    receiver = await WebhookReceiver.listen(SECRET);
    expect((await api.registerEndpoint(merchant.sandbox, receiver.url, SECRET)).status).toBe(201);
  });

  afterAll(async () => {
    await api.close();
    await receiver.close();
    await databases.close();
  });

  async function pay({ from, isExpected = false }: { from?: string; isExpected?: boolean } = {}): Promise<string> {
    const reply = await api.createIntent(merchant.sandbox, {
      amount: 75,
      idempotencyKey: randomUUID(),
      paymentMethod: 'BKASH_SEND_MONEY',
      ...(isExpected && { expectedSenderMsisdn: from }),
    });
    expect(reply.status).toBe(201);
    const { id, customerReference: reference, receiverMsisdn } = reply.body;
    const transfer = { amount: '75', reference, trxId: newTrxId(new Date()) };
    const message = bkashSendMoney(from === undefined ? transfer : { ...transfer, from });
    await api.forwardSms(merchant.sandbox, { sender: 'bKash', message, receiverMsisdn });
    return id;
  }

  const statusOf = async (id: string): Promise<string> => (await api.getIntent(merchant.sandbox, id)).body.status;
  const range = () => ({ from: started.toISOString(), to: new Date(Date.now() + 1_000).toISOString() });

  /** The findings of the audit about these payments; other tests of this system may run meanwhile. */
  async function auditOf(...ids: string[]): Promise<string[]> {
    const { answer } = await controlPlane.ask<{ mismatches: Mismatch[] }>('audit-payments', range());
    return answer.mismatches.filter(({ paymentIntentId }) => ids.includes(paymentIntentId)).map(({ kind }) => kind);
  }

  async function repair(id: string): Promise<boolean> {
    const { answer } = await controlPlane.ask<{ republished: Mismatch[] }>('repair-payments', range());
    return answer.republished.some(({ paymentIntentId }) => paymentIntentId === id);
  }

  /** From then on the binding is not declared again while `work` runs. */
  async function untilWatched(service: string, type: string): Promise<void> {
    const text = `select from ${service.replace('-', '_')}.binding_probes where type = $1`;
    await eventually(
      async () => (await databases.query(service, text, [type])).rowCount === 1,
      'the binding is watched',
      { timeoutMs: 100_000 },
    );
  }

  /**
   * Removes a binding while `work` runs. Its result is the event that is lost: the consumer counts it as handled, so no
   * replay restores it.
   */
  async function withoutBinding(
    [service, type]: readonly [string, string],
    publisher: string,
    work: () => Promise<string>,
  ): Promise<void> {
    await untilWatched(service, type);
    const [queue, key] = [`${service}.events`, `${type}.*`];
    const connection = await amqp.connect(system.amqpUrl);
    const channel = await connection.createChannel();
    const prefix = system.amqpNamespace;
    const exchange = `${prefix}pay.events.${publisher}`;
    try {
      await channel.unbindQueue(`${prefix}${queue}`, exchange, key);
      const schema = service.replace('-', '_');
      const text = `insert into ${schema}.inbox (consumer, message_id) values ($1, $2)`;
      await databases.query(service, text, [queue, await work()]);
    } finally {
      await channel.bindQueue(`${prefix}${queue}`, exchange, key).catch(() => undefined);
      await connection.close();
    }
  }

  test('an honest payment is the same in all services', async () => {
    const id = await pay();
    await receiver.next('payment.paid', id);

    expect(await auditOf(id)).toEqual([]);
  });

  /** What `npm run verify` prints. */
  async function verify(): Promise<string> {
    const child = spawn(process.execPath, [join('dist', 'tools', 'verify.js'), '--run-dir', RUN_DIRECTORY]);
    let report = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (report += text));
    await once(child, 'close');
    return report;
  }

  test('npm run verify checks money and decisions, payments, queues and bindings', async () => {
    const report = await verify();

    const checked = report.split('\n').filter((line) => /^(ok|WRONG) /.test(line));
    expect(checked.map((line) => line.slice(13, 35).trim())).toEqual([
      'money and decisions',
      'payments',
      'queues',
      'bindings',
    ]);
    expect(report).not.toContain('NOT CHECKED');
  });

  test('an erased payer is in no table but the outboxes, in no queue and in no log, and money and decisions are unchanged', async () => {
    const payer = `017${randomInt(10_000_000, 100_000_000)}`;
    // Every spelling of the number contains these digits.
    const digits = payer.slice(1);
    const paid = [await pay({ from: payer }), await pay({ from: payer, isExpected: true })];
    const advertisement = `Dear customer, +88${payer} has called you. Dial *247# for an offer.`;
    await api.forwardSms(merchant.sandbox, { sender: 'bKash', message: advertisement });
    for (const id of paid) await receiver.next('payment.paid', id);
    const texts = async () => (await databases.query('sms-ingest', TEXTS, [merchant.id, paid])).rows;
    await eventually(
      async () => (await texts()).every(({ status }) => status !== 'RECEIVED' && status !== 'PARSED'),
      'all texts are decided',
    );
    const totals = async () => (await databases.query('reconciler', TOTALS, [merchant.id])).rows;
    const before = { texts: await texts(), totals: await totals() };
    expect(await tablesWith(system, databases, digits)).toEqual(
      expect.arrayContaining(['intent_api.payment_intents', 'reconciler.evidence', 'reconciler.intents', ...OUTBOXES]),
    );

    const options = { merchant: merchant.id, reason: 'Request 7' };
    const erased = await controlPlane.ask('erase-payers', options, `${payer}\n`);

    expect(erased).toMatchObject({ exitCode: 0, answer: { erased: { smsIngest: 3, intentApi: 1 }, open: 0 } });
    expect(await tablesWith(system, databases, digits)).toEqual(OUTBOXES);
    expect(await queuesWith(system, digits)).toEqual([]);
    expect(logsWith(RUN_DIRECTORY, digits)).toEqual([]);
    expect(logsWith(RUN_DIRECTORY, merchant.id)).toContain('sms-ingest.log');
    expect((await texts()).every(({ hasText }) => hasText === false)).toBe(true);
    expect(before.texts.every(({ hasText }) => hasText === true)).toBe(true);
    expect(await totals()).toEqual(before.totals);
    expect(await Promise.all(paid.map(statusOf))).toEqual(['PAID', 'PAID']);
    expect(await auditOf(...paid)).toEqual([]);
    expect(await verify()).toMatch(/^ok +money and decisions /m);
  });

  const eventOf = async (service: string, type: string, intentId: string): Promise<string> => {
    const text = `select id from ${service.replace('-', '_')}.outbox
      where type = $1 and strpos(body, $2) > 0 and created_at > now() - interval '10 minutes'`;
    return (await databases.query(service, text, [type, intentId])).rows[0]?.id as string;
  };

  test('a payment that no webhook was planned for because its event was lost is named and repaired', async () => {
    let id = '';
    await receiver.next('payment.paid', await pay());
    await withoutBinding(['webhook-dispatcher', 'intent.paid'], 'intent-api', async () => {
      id = await pay();
      await eventually(async () => (await statusOf(id)) === 'PAID', 'the intent is PAID');
      return eventOf('intent-api', 'intent.paid', id);
    });

    expect(await auditOf(id)).toEqual(['missing_in_feed']);
    expect(receiver.of('payment.paid', id)).toEqual([]);
    expect(await repair(id)).toBe(true);
    await receiver.next('payment.paid', id);
    await eventually(async () => (await auditOf(id)).length === 0, 'the audit finds nothing any more');
    expect(receiver.of('payment.paid', id)).toHaveLength(1);
  }, 240_000);

  test('a decision that intent-api never received is named and repaired, and the merchant gets the webhook', async () => {
    let id = '';
    await receiver.next('payment.paid', await pay());
    await withoutBinding(['intent-api', 'match.confirmed'], 'reconciler', async () => {
      id = await pay();
      await eventually(async () => {
        const { rows } = await databases.query('reconciler', 'select status from reconciler.intents where id = $1', [
          id,
        ]);
        return rows[0]?.status === 'PAID';
      }, 'the reconciler has decided');
      return eventOf('reconciler', 'match.confirmed', id);
    });

    expect(await auditOf(id)).toEqual(['decision_not_applied']);
    expect(await statusOf(id)).toBe('PENDING');
    expect(await repair(id)).toBe(true);
    await receiver.next('payment.paid', id);
    expect(await statusOf(id)).toBe('PAID');
    expect(await auditOf(id)).toEqual([]);
  }, 240_000);

  test('a feed entry and its deliveries that were deleted by hand are named and restored', async () => {
    const id = await pay();
    await receiver.next('payment.paid', id);
    const schema = 'webhook_dispatcher';
    await eventually(async () => {
      const text = `select status from ${schema}.deliveries where payment_intent_id = $1`;
      return (await databases.query('webhook-dispatcher', text, [id])).rows[0]?.status === 'DELIVERED';
    }, 'the delivery is done');
    await databases.query(
      'webhook-dispatcher',
      `delete from ${schema}.attempts where delivery_id in
         (select id from ${schema}.deliveries where payment_intent_id = $1)`,
      [id],
    );
    await databases.query('webhook-dispatcher', `delete from ${schema}.deliveries where payment_intent_id = $1`, [id]);

    expect(await auditOf(id)).toEqual(['missing_deliveries']);
    await databases.query('webhook-dispatcher', `delete from ${schema}.events where payment_intent_id = $1`, [id]);
    expect(await auditOf(id)).toEqual(['missing_in_feed']);
    expect(await repair(id)).toBe(true);
    await eventually(async () => (await auditOf(id)).length === 0, 'the audit finds nothing any more');
  });

  test('a payment whose event is no longer in the outbox is reported as not repairable, with exit code 1', async () => {
    const id = await pay();
    await receiver.next('payment.paid', id);
    await databases.query('webhook-dispatcher', 'delete from webhook_dispatcher.events where payment_intent_id = $1', [
      id,
    ]);
    await databases.query(
      'intent-api',
      `delete from intent_api.outbox where aggregate_id = $1 and type = 'intent.paid'`,
      [id],
    );

    const { answer, exitCode } = await controlPlane.ask<{ notRepairable: Mismatch[] }>('repair-payments', range());

    expect(exitCode).toBe(1);
    expect(answer.notRepairable).toContainEqual(expect.objectContaining({ paymentIntentId: id }));
  });
});
