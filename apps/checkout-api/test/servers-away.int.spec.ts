import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, startRabbitMq, type LocalPostgres, type LocalRabbitMq } from '@pay/local-servers';
import { aRandomTrxId, eventually, failOnLeaks, newQueuesOnDisk, promptly } from '@pay/testing';
import { checkoutCustomer, type Reply } from './checkout-customer';
import { listen } from './event-source';
import {
  aMerchant,
  anIntent,
  given,
  intentEvent,
  send,
  startService,
  type ServiceUnderTest,
} from './service-under-test';

failOnLeaks();

/** A delay that a person notices. */
const SWIFT_MS = 1_000;

describe('checkout while a server is unavailable', () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'checkout-servers-'));
  const quietly = () => undefined;
  let postgres: LocalPostgres;
  let broker: LocalRabbitMq;
  let service: ServiceUnderTest;
  const customer = checkoutCustomer(() => service);

  beforeAll(async () => {
    [postgres, broker] = await Promise.all([
      startPostgres({ stateDir: join(stateDir, 'postgres'), log: quietly }),
      startRabbitMq({ stateDir: join(stateDir, 'rabbitmq'), log: quietly }),
    ]);
    service = await startService({ servers: { databaseUrl: postgres.url, amqpUrl: broker.url } });
    await aMerchant(service.db, ['BKASH_SEND_MONEY']);
  });
  afterAll(async () => {
    await service.stop();
    await Promise.all([postgres.stop(), broker.stop()]);
    rmSync(stateDir, { recursive: true, force: true });
  });
  beforeEach(() => service.reconciler.respondWith(() => decided('not_found')));

  const decided = (outcome: string) => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ outcome, smsEventId: null, intentStatus: 'PENDING' }),
  });
  const waiting = (reason: string) => ({ status: 200, body: { matched: false, smsEventId: null, reason } });
  const unavailable = { status: 503, body: { code: 'SERVICE_UNAVAILABLE' } };
  // A claim submitted again in another minute is published again.
  const claimsOf = async (intentId: string) => {
    const submitted = (await service.submitted()).filter(({ data }) => data.paymentIntentId === intentId);
    expect(new Set(submitted.map(({ data }) => data.submittedAt)).size).toBe(submitted.length);
    return new Set(submitted.map(({ data }) => data.claimId)).size;
  };
  const UNPUBLISHED = `select count(*)::int as count from outbox join outbox_pending using (id) where body like '%claim.submitted%'`;
  const unpublished = async () => (await service.db.query<{ count: number }>(UNPUBLISHED))[0]?.count;

  async function swiftly<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    let answer: Answer | undefined;
    await promptly(SWIFT_MS, async () => {
      const begun = performance.now();
      answer = await ask();
      return performance.now() - begun;
    });
    return answer as Answer;
  }

  it('answers 503 immediately without Postgres, with a page for browsers; open streams stay and continue afterwards', async () => {
    const intent = await given(service, anIntent());
    const stream = await listen(`${service.url}/v1/checkout/${intent.id}/events`);
    await stream.until(({ status }) => status === 'PENDING', 'PENDING');
    const trxId = aRandomTrxId();
    await postgres.kill();

    const page = await swiftly(() => fetch(`${service.url}/checkout/${intent.id}?language=en`));
    expect(page.status).toBe(503);
    const text = await page.text();
    expect(text).toContain('Money that you have paid is safe.');
    expect(text).toContain(`href="/checkout/${intent.id}?language=en"`);
    // It recovers without the customer.
    expect(text).toContain('http-equiv="refresh"');
    expect(await swiftly(() => customer.view(intent.id))).toMatchObject(unavailable);
    expect(await swiftly(() => customer.confirm(intent.id, trxId))).toMatchObject(unavailable);
    expect(stream.hasEnded()).toBe(false);

    await postgres.restart();
    // The customer tries again.
    await eventually(async () => (await customer.confirm(intent.id, trxId)).status === 200, 'the claim is taken');
    expect(await customer.view(intent.id)).toMatchObject({ status: 200, body: { claim: 'waiting' } });
    expect(await claimsOf(intent.id)).toBe(1);
    await stream.until(({ claim }) => claim === 'waiting', 'that a claim waits');
    await send(service, intentEvent({ ...intent, status: 'PAID', paidAt: intent.createdAt }, 2));
    await stream.until(({ status }) => status === 'PAID', 'PAID');
  });

  it('stores or refuses each confirm during a restart of Postgres, and stores a repeated one once', async () => {
    const intents = await Promise.all(Array.from({ length: 8 }, () => given(service, anIntent())));
    const answers: { readonly intentId: string; readonly reply: Reply }[] = [];
    const customers = intents.map(({ id }) => ({ id, trxId: aRandomTrxId() }));
    let isOver = false;
    const pressing = customers.map(async ({ id, trxId }) => {
      while (!isOver) answers.push({ intentId: id, reply: await customer.confirm(id, trxId) });
    });
    try {
      await eventually(() => answers.length > 50, 'confirms are under way');
      await postgres.restart('immediate');
      const before = answers.length;
      await eventually(
        () => answers.slice(before).some(({ reply }) => reply.status === 200),
        'confirms are answered again',
      );
    } finally {
      isOver = true;
      await Promise.all(pressing);
    }

    expect([...new Set(answers.map(({ reply }) => reply.status))].sort()).toEqual([200, 503]);
    await Promise.all(
      customers.map(async ({ id, trxId }) => {
        expect(await customer.confirm(id, trxId)).toMatchObject(waiting('trx_id_not_found'));
        expect(await claimsOf(id)).toBe(1);
      }),
    );
  });

  it('answers views and confirms without broker and reconciler, and publishes the claim afterwards', async () => {
    const intent = await given(service, anIntent());
    await eventually(async () => (await unpublished()) === 0, 'every claim is published');
    await newQueuesOnDisk(broker);
    await broker.kill();

    expect(await swiftly(() => customer.view(intent.id))).toMatchObject({ status: 200, body: { status: 'PENDING' } });
    const [decidedTrxId, waitingTrxId] = [aRandomTrxId(), aRandomTrxId()];
    expect(await swiftly(() => customer.confirm(intent.id, decidedTrxId))).toMatchObject(waiting('trx_id_not_found'));
    service.reconciler.respondWith(() => ({ status: 503 }));
    expect(await swiftly(() => customer.confirm(intent.id, waitingTrxId))).toMatchObject(waiting('processing'));
    // An intent whose event cannot arrive is requested from its owner.
    const fresh = anIntent();
    service.intentApi.respondWith(() => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        merchantId: '00000000-0000-7000-8000-00000000000a',
        environment: 'SANDBOX',
        sequence: 1,
        intent: fresh,
      }),
    }));
    expect(await swiftly(() => customer.view(fresh.id))).toMatchObject({ status: 200, body: { id: fresh.id } });
    expect(await unpublished()).toBe(2);

    await broker.restart();
    await eventually(async () => (await unpublished()) === 0, 'both claims are published');
    expect(await claimsOf(intent.id)).toBe(2);
  });
});
