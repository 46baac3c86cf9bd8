import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkoutViewSchema, type IntentSnapshot } from '@pay/contracts';
import { draft } from '@pay/messaging';
import { dumpSchema } from '@pay/persistence';
import { raiseEpoch } from '@pay/messaging';
import { eventually, failOnLeaks, librarySchemas, promptly } from '@pay/testing';
import type { IntentCopy } from '../src/domain/intent-copy';
import { storeAndAnnounce } from '../src/intent-copies/project-intents';
import { checkoutCustomer } from './checkout-customer';
import {
  aDevice,
  aMerchant,
  anIntent,
  given,
  intentEvent,
  MERCHANT,
  send,
  startService,
  type ServiceUnderTest,
} from './service-under-test';

failOnLeaks();

describe('GET /v1/checkout/:id', () => {
  let service: ServiceUnderTest;
  const customer = checkoutCustomer(() => service);

  beforeAll(async () => {
    service = await startService();
    await aMerchant(service.db, ['BKASH_SEND_MONEY', 'NAGAD_SEND_MONEY']);
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    service.reconciler.respondWith(() => ({ status: 503 }));
    service.intentApi.respondWith(() => ({ status: 503 }));
  });

  const json = (status: number, body: unknown) => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const asked = (server: ServiceUnderTest['intentApi'], id: string) =>
    server.requests.filter((request) => request.path.includes(id)).length;

  it('returns the data for a customer without a key', async () => {
    const intent = await given(
      service,
      anIntent({
        customerId: 'customer-77',
        expectedSenderMsisdn: '01999999999',
        successUrl: 'https://shop.example/ok',
      }),
    );

    const { status, body } = await customer.view(intent.id);

    expect(status).toBe(200);
    expect(checkoutViewSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      id: intent.id,
      amount: '500',
      status: 'PENDING',
      environment: 'SANDBOX',
      merchantName: 'Boi Bazar',
      merchantReference: 'order-7',
      paymentMethods: ['BKASH_SEND_MONEY', 'NAGAD_SEND_MONEY'],
      receiverMsisdn: intent.receiverMsisdn,
    });
    expect(Math.abs(Date.parse(body.serverTime) - Date.now())).toBeLessThan(60_000);
    expect(JSON.stringify(body)).not.toMatch(/customer-77|01999999999|shop\.example/);
  });

  it('stores no payer and no customer of the merchant', async () => {
    const { id } = await given(service, anIntent({ customerId: 'customer-78', expectedSenderMsisdn: '01999999998' }));

    const rows = await service.db.query('select intent::text from intent_copies where id = $1', [id]);

    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toMatch(/customer-78|01999999998/);
  });

  it('requests an intent whose event has not arrived from intent-api and stores it', async () => {
    const intent = anIntent();
    service.intentApi.respondWith(() =>
      json(200, { merchantId: MERCHANT, environment: 'SANDBOX', sequence: 1, intent }),
    );

    const replies = await Promise.all(Array.from({ length: 10 }, () => customer.view(intent.id)));
    service.intentApi.respondWith(() => ({ status: 503 }));
    replies.push(await customer.view(intent.id));

    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]));
    expect(asked(service.intentApi, intent.id)).toBeLessThan(10);
    const [request] = service.intentApi.requests.filter((each) => each.path.endsWith(intent.id));
    expect(request?.headers.authorization).toMatch(/^Bearer /);
  });

  it('does not replace a newer event by a response of intent-api', async () => {
    const intent = anIntent();
    let sent: Promise<unknown> | undefined;
    service.intentApi.respondWith(() => {
      sent ??= given(service, { ...intent, status: 'PAID', paidAt: intent.createdAt }, 2);
      return { ...json(200, { merchantId: MERCHANT, environment: 'SANDBOX', sequence: 1, intent }), afterMs: 400 };
    });

    await customer.view(intent.id);
    await sent;

    expect((await customer.view(intent.id)).body.status).toBe('PAID');
  });

  it('answers 404 for an id that intent-api does not know', async () => {
    service.intentApi.respondWith(() => json(404, { code: 'NOT_FOUND', message: 'no' }));
    const id = randomUUID();

    const replies = [await customer.view(id), await customer.view(id), await customer.view(id)];

    expect(replies.map((reply) => [reply.status, reply.body.code])).toEqual(
      Array.from({ length: 3 }, () => [404, 'NOT_FOUND']),
    );
  });

  it('answers 503, not 404, for an unknown intent while intent-api is unavailable', async () => {
    expect(await customer.view(randomUUID())).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
  });

  it.each(['not-a-uuid', "1'--", '%2e%2e%2fetc', 'x'.repeat(500)])('answers 404 for %s', async (id) => {
    const message = expect.stringContaining('Open the payment link of the shop again');
    expect(await customer.view(id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', message } });
    expect(await customer.confirm(id, 'DKL4A1B2C3')).toMatchObject({ status: 404 });
  });

  it('shows the newest state after events in any order, repeated and late', async () => {
    const pending = anIntent();
    const review = { ...pending, status: 'REVIEW_REQUIRED' as const };
    const paid = { ...pending, status: 'PAID' as const, paidAt: pending.createdAt };

    await send(
      service,
      ...[intentEvent(review, 2), intentEvent(paid, 3, 'DKL4A1B2C3')],
      ...[intentEvent(pending, 1), intentEvent(review, 2)],
    );
    await given(service, anIntent());

    const receipt = { status: 'PAID', paidAt: paid.paidAt, trxId: 'DKL4A1B2C3' };
    expect((await customer.view(pending.id)).body).toMatchObject(receipt);
  });

  it('replaces a state by one with the same sequence after a promoted intent-api lost the first', async () => {
    const pending = anIntent();
    const paid = { ...pending, status: 'PAID' as const, paidAt: pending.createdAt };
    await send(service, intentEvent({ ...pending, status: 'REVIEW_REQUIRED' }, 2));
    await eventually(
      async () => (await customer.view(pending.id)).body.status === 'REVIEW_REQUIRED',
      'the lost state is here',
    );

    // The services share a database in this test, so its epoch is the one of the published event.
    await raiseEpoch(service.db);
    await send(service, intentEvent(paid, 2));
    await eventually(async () => (await customer.view(pending.id)).body.status === 'PAID', 'the new state is here');
    // Never below the recorded one, so that one is forgotten.
    await service.db.execute('update publisher_epoch set base = base - 1, epoch = null');
    await send(service, intentEvent(pending, 3));
    await given(service, anIntent());

    expect((await customer.view(pending.id)).body.status).toBe('PAID');
  });

  it.each([
    ['the response of intent-api', 'DKL4A1B2C3'],
    ['the event, if intent-api responds without it', undefined],
  ])('shows the TrxID of a PAID intent that was fetched, from %s', async (_source, paidTrxId) => {
    const intent = anIntent({ status: 'PAID', paidAt: new Date().toISOString() });
    service.intentApi.respondWith(() =>
      json(200, { merchantId: MERCHANT, environment: 'SANDBOX', sequence: 2, intent, paidTrxId }),
    );

    expect((await customer.view(intent.id)).body).toMatchObject({ status: 'PAID', trxId: paidTrxId ?? null });
    await send(service, intentEvent(intent, 2, 'DKL4A1B2C3'));

    await eventually(
      async () => (await customer.view(intent.id)).body.trxId === 'DKL4A1B2C3',
      'the TrxID of the event is shown',
    );
  });

  it('reports another state with the epoch and sequence of the stored one and keeps the stored one; a repeat is not reported', async () => {
    const intent = anIntent();
    const conflicts: unknown[] = [];
    const messaging = { reportConflict: (conflict: unknown) => void conflicts.push(conflict) };
    const store = (copy: typeof intent) =>
      service.db.transaction((tx) => {
        storeAndAnnounce(
          { watch: { announce: () => undefined }, notifications: { notify: () => undefined }, messaging },
          tx,
          [{ merchantId: MERCHANT, environment: 'SANDBOX', sequence: 1, epoch: 4, intent: copy }],
        );
        return Promise.resolve();
      });

    await store(intent);
    await store(intent);
    expect(conflicts).toEqual([]);
    await store({ ...intent, status: 'REVIEW_REQUIRED' });

    expect(conflicts).toEqual([{ subject: 'intent', id: intent.id, epoch: 4, sequence: 1 }]);
    expect((await customer.view(intent.id)).body.status).toBe('PENDING');
  });

  it('notifies waiting requests of newer copies after their commit, and of no others', async () => {
    const intent = await given(service, anIntent(), 2);
    const results: number[] = [];
    const watch = {
      announce: (copies: readonly IntentCopy[]) => copies.forEach((copy) => results.push(copy.sequence)),
    };
    const store = (sequence: number, fail = false) =>
      service.db.transaction(async (tx) => {
        storeAndAnnounce(
          { watch, notifications: { notify: () => undefined }, messaging: { reportConflict: () => undefined } },
          tx,
          [{ merchantId: MERCHANT, environment: 'SANDBOX', sequence, intent }],
        );
        if (fail) throw new Error('rolled back');
      });

    await store(1);
    await store(3, true).catch(() => undefined);
    await store(4);

    expect(results).toEqual([4]);
  });

  it('offers only the method that the merchant has fixed', async () => {
    const intent = await given(service, anIntent({ methodFixed: true }));

    expect((await customer.view(intent.id)).body.paymentMethods).toEqual(['BKASH_SEND_MONEY']);
  });

  it('answers polling with the ETag with 304 until a field other than the time changes', async () => {
    const intent = await given(service, anIntent());
    const etag = (await customer.view(intent.id)).headers.get('etag') ?? '';

    const again = await customer.view(intent.id, { 'if-none-match': `"other", ${etag}` });
    expect(again).toMatchObject({ status: 304, body: undefined });
    expect(again.headers.get('etag')).toBe(etag);
    await given(service, { ...intent, status: 'PAID', paidAt: intent.createdAt }, 2);
    const changed = await customer.view(intent.id.toUpperCase(), { 'if-none-match': etag });
    expect(changed).toMatchObject({ status: 200, body: { status: 'PAID' } });
  });

  it('states whether the phone of the receiver is online, by its newest last-seen time in any order of arrival', async () => {
    const intent = await given(service, anIntent());
    const onlineOf = async () => (await customer.view(intent.id)).body.receiverOnline as unknown;
    const seen = (deviceId: string, secondsAgo: number, sendsHeartbeat = true) => {
      const seenAt = new Date(Date.now() - secondsAgo * 1_000).toISOString();
      const base = { merchantId: MERCHANT, environment: 'SANDBOX' as const, aggregateId: deviceId, sequence: 0 };
      return draft('device.seen', { ...base, occurredAt: new Date(), data: { deviceId, seenAt, sendsHeartbeat } });
    };
    expect(await onlineOf()).toBeNull();
    const phone = await aDevice(service.db, [intent.receiverAccountId ?? '']);

    await send(service, seen(phone, 600));
    await eventually(async () => (await onlineOf()) === false, 'the phone is silent');
    await send(service, seen(phone, 1), seen(phone, 300));
    await eventually(async () => (await onlineOf()) === true, 'the last-seen time of the phone is stored');
    await send(service, seen(phone, 0, false));
    await eventually(async () => (await onlineOf()) === null, 'the phone has become a forwarder without heartbeats');
  });

  describe('POST /v1/checkout/:id/method', () => {
    const copy = (intent: IntentSnapshot, sequence: number) =>
      json(200, { merchantId: MERCHANT, environment: 'SANDBOX', sequence, intent });

    it('returns the view with the receiver, and the next view is the same before an event has arrived', async () => {
      const open = await given(
        service,
        anIntent({ paymentMethod: null, receiverMsisdn: null, receiverAccountId: null }),
      );
      const chosen = { ...open, paymentMethod: 'NAGAD_SEND_MONEY' as const, receiverMsisdn: '01800000002' };
      service.intentApi.respondWith(() => copy(chosen, 2));

      const { status, body } = await customer.choose(open.id, 'nagad_send_money');

      expect(status).toBe(200);
      expect(checkoutViewSchema.parse(body)).toMatchObject({
        paymentMethod: 'NAGAD_SEND_MONEY',
        receiverMsisdn: '01800000002',
        paymentMethods: ['BKASH_SEND_MONEY', 'NAGAD_SEND_MONEY'],
      });
      expect((await customer.view(open.id)).body.receiverMsisdn).toBe('01800000002');
      const [asked] = service.intentApi.requests.filter(({ path }) => path.includes(open.id));
      expect(asked).toMatchObject({ method: 'POST', path: `/internal/v1/intents/${open.id}/method` });
      expect(asked?.json()).toEqual({ paymentMethod: 'NAGAD_SEND_MONEY' });
    });

    it.each([
      ['a method fixed by the merchant', 409, 'METHOD_FIXED'],
      ['a method without an active receiver', 422, 'RECEIVER_ACCOUNT_NOT_CONFIGURED'],
      ['an intent that is expired', 409, 'INTENT_EXPIRED'],
      ['an intent that is settled', 409, 'INTENT_NOT_PENDING'],
    ] as const)('answers for %s: %i', async (_case, status, code) => {
      const intent = await given(service, anIntent());
      service.intentApi.respondWith(() => json(status, { code, message: 'no' }));

      expect(await customer.choose(intent.id, 'NAGAD_SEND_MONEY')).toMatchObject({ status, body: { code } });
    });

    it('answers 400 without a method, and 503 while intent-api is unavailable', async () => {
      const intent = await given(service, anIntent());

      expect(await customer.choose(intent.id, 'CASH')).toMatchObject({ status: 400 });
      expect(await customer.choose(intent.id, 'NAGAD_SEND_MONEY')).toMatchObject({ status: 503 });
      expect((await customer.view(intent.id)).body.paymentMethod).toBe('BKASH_SEND_MONEY');
    });
  });

  describe('after the time is over', () => {
    const overdue = () => anIntent({ expiresAt: new Date(Date.now() - 1_000).toISOString() });

    it('requests the expiry from the reconciler and waits for the new copy', async () => {
      // A view waits only briefly, which may be too short on a busy machine.
      const intent = await eventually(async () => {
        const ending = await given(service, overdue());
        let settled: Promise<void> | undefined;
        service.reconciler.respondWith(() => {
          settled ??= send(service, intentEvent({ ...ending, status: 'EXPIRED' }, 2));
          return json(200, { intentStatus: 'EXPIRED' });
        });

        const { body } = await customer.view(ending.id);
        await settled;
        return body.status === 'EXPIRED' && ending;
      }, 'a view says EXPIRED');

      const [request] = service.reconciler.requests.filter((each) => each.path.includes(intent.id));
      expect(request).toMatchObject({ method: 'POST', path: `/internal/v1/intents/${intent.id}/expire` });
      expect(request?.headers).toMatchObject({ 'x-merchant-id': MERCHANT, 'x-environment': 'SANDBOX' });
    });

    it('returns PENDING while a claim or SMS still waits for the intent', async () => {
      const intent = await given(service, overdue());
      service.reconciler.respondWith(() => json(200, { intentStatus: 'PENDING' }));

      expect((await customer.view(intent.id)).body.status).toBe('PENDING');
    });

    it('returns PENDING after a short time when the reconciler does not answer', async () => {
      const intent = await given(service, overdue());
      service.reconciler.respondWith(() => undefined);

      await promptly(4_000, async () => {
        const { body, durationMs } = await customer.view(intent.id);
        expect(body.status).toBe('PENDING');
        return durationMs;
      });
    });

    it('returns the decided status when the copy does not arrive in time', async () => {
      const intent = await given(service, overdue());
      service.reconciler.respondWith(() => json(200, { intentStatus: 'EXPIRED' }));

      await promptly(4_000, async () => {
        const { body, durationMs } = await customer.view(intent.id);
        expect(body.status).toBe('PENDING');
        return durationMs;
      });
    });

    it('does not request the expiry of a settled intent', async () => {
      const intent = await given(service, { ...overdue(), status: 'PAID', paidAt: new Date().toISOString() });

      await customer.view(intent.id);

      expect(asked(service.reconciler, intent.id)).toBe(0);
    });
  });

  describe('POST /v1/checkout/:id/cancel', () => {
    it('returns cancelUrl with the four parameters and does not change the intent', async () => {
      const intent = await given(service, anIntent({ cancelUrl: 'https://shop.example/cart?a=1' }));

      const { status, body } = await customer.cancel(intent.id);

      expect(status).toBe(200);
      expect(body).toEqual({
        redirectUrl: `https://shop.example/cart?a=1&payment_intent_id=${intent.id}&status=CANCELLED&customer_reference=INV-1&merchant_reference=order-7`,
      });
      expect((await customer.view(intent.id)).body.status).toBe('PENDING');
    });

    it('returns no URL without a cancelUrl', async () => {
      const intent = await given(service, anIntent());

      expect((await customer.cancel(intent.id)).body).toEqual({ redirectUrl: null });
    });
  });

  it('the database has the schema of schema.sql', async () => {
    const written = readFileSync(join(__dirname, '../src/db/schema.sql'), 'utf8');

    expect(await dumpSchema(service.databaseUrl, librarySchemas())).toBe(written);
  });
});
